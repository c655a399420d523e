# The report in a browser: sorting and searching, without errors, and what is there without scripts.
x <- as.matrix(mcl_sll[, -1])
y <- factor(mcl_sll$MCL, labels = c("SLL", "MCL"))
fit <- fealect(x, y, n_runs = 20, n_boot = 0, oob = FALSE, seed = 1)

# @param script (string) JavaScript run after the page's own; what it returns is the answer.
# @return list(answer, complaints (character) of the browser's console).
in_browser <- function(page, script, width = 1000) {
  folder <- withr::local_tempdir()
  file <- file.path(folder, "page.html")
  probe <- sprintf("<script>parent.document.title = (function () {%s})();</script></body>", script)
  writeLines(sub("</body>", probe, page, fixed = TRUE), file, useBytes = TRUE)
  errors <- file.path(folder, "errors")
  shown <- suppressWarnings(system2("chromium", c(
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--dump-dom",
    "--enable-logging=stderr", sprintf("--window-size=%d,900", width),
    paste0("--user-data-dir=", folder), paste0("file://", file)
  ), stdout = TRUE, stderr = errors, timeout = 60))
  text <- paste(shown, collapse = "\n")
  if (!grepl("<title>", text, fixed = TRUE)) stop("The browser shows no page.")
  list(
    answer = sub("(?s)</title>.*", "", sub("(?s)^.*?<title>", "", text, perl = TRUE), perl = TRUE),
    complaints = grep("CONSOLE", readLines(errors, warn = FALSE), value = TRUE)
  )
}

# A page without anything tells a browser that does not run here from a report that is broken.
skip_without_browser <- function() {
  skip_if(!nzchar(Sys.which("chromium")), "chromium is not installed")
  empty <- "<html><head><title></title></head><body></body></html>"
  starts <- tryCatch(in_browser(empty, "return 'ready';")$answer, error = function(e) "")
  skip_if_not(identical(starts, "ready"), "chromium does not start here")
}

read_report <- function(n = 5) {
  file <- withr::local_tempfile(fileext = ".html")
  write_report(fit, file, x = x, y = y, n = n)
  readLines(file, encoding = "UTF-8")
}

# What a reader does: `find(text)`, `sort(column number)`, `turn(0 or 1: back or next)`, and what is
# then seen: `names()`, `cells(column number)`, `info()`.
hands <- "
  var box = document.querySelector('.find input');
  var turns = document.querySelectorAll('.turn button');
  var heads = document.querySelectorAll('#features th');
  var find = function (text) {
    box.value = text;
    box.dispatchEvent(new Event('input', {bubbles: true}));
  };
  var sort = function (j) { heads[j].querySelector('button').click(); };
  var turn = function (k) { turns[k].click(); };
  var cells = function (j) {
    return [].map.call(document.querySelectorAll('#features tbody tr'), function (row) {
      return row.cells[j].textContent;
    });
  };
  var names = function () { return cells(1); };
  var info = function () { return document.querySelector('.turn span').textContent; };"

test_that("a feature is found by any part of its name, whole names first", {
  skip_on_cran()
  skip_without_browser()
  shown <- report_table(fit, reported_study(x, y, fit), 5)
  features <- c(shown$table$feature, shown$rest$feature)
  expect_identical(length(features), ncol(without_copies(x)))
  # Copies are found under the name that stands for them.
  copied <- which(nzchar(fit$table$copies))[1]
  copy <- strsplit(fit$table$copies[copied], ", ", fixed = TRUE)[[1]][1]
  wanted <- c(features[c(1, 6, 100, length(features))], copy)
  seen <- in_browser(read_report(), sprintf("%s
    var wanted = %s;
    var found = wanted.map(function (name) { find(name.replace(/ .*/, '')); return names()[0]; });
    find('no such feature');
    found.push(info(), names().length);
    find('t1 p1');
    found.push(names().every(function (name) { return /t1.*p1/i.test(name); }));
    find('');
    found.push(info());
    return found.join('|');", hands, paste0("[", paste(json_string(wanted), collapse = ","), "]")))
  expect_identical(seen$complaints, character())
  parts <- strsplit(seen$answer, "|", fixed = TRUE)[[1]]
  expect_identical(parts[1:4], wanted[1:4])
  expect_match(parts[5], fit$table$feature[copied], fixed = TRUE)
  expect_match(parts[6], sprintf("No feature has this name, of the %d on", length(features)))
  expect_identical(parts[7:8], c("0", "true"))
  expect_identical(parts[9], sprintf("1 to 5 of %d", length(features)))
})

test_that("a column is sorted with the largest first, then the smallest, and blanks last", {
  skip_on_cran()
  skip_without_browser()
  result <- fit
  result$table$score[c(1, 2, 50)] <- c(NA, 7, -3)
  # Names that are numbers are names.
  names <- result$study$feature_names
  result$study$feature_names[names == result$table$feature[3]] <- "12345"
  result$table$feature[3] <- "12345"
  file <- withr::local_tempfile(fileext = ".html")
  write_report(result, file, n = 5)
  page <- readLines(file, encoding = "UTF-8")
  shown <- report_table(result, NULL, 5)
  at <- match("score", names(shown$table)) - 1L
  seen <- in_browser(page, sprintf("%s
    var all = function (j) {
      var out = [];
      for (;;) {
        out = out.concat(cells(j));
        if (turns[1].disabled) return out;
        turn(1);
      }
    };
    sort(%d);
    var down = all(%d), state = heads[%d].getAttribute('aria-sort');
    sort(%d);
    var up = all(%d);
    sort(1);
    return [state, down.join(','), up.join(','), names().slice(0, 2).join(',')].join('|');",
    hands, at, at, at, at, at
  ))
  expect_identical(seen$complaints, character())
  parts <- strsplit(seen$answer, "|", fixed = TRUE)[[1]]
  expect_identical(parts[1], "descending")
  values <- lapply(strsplit(paste0(parts[2:3], "."), ",", fixed = TRUE), function(text) {
    as.numeric(replace(text, text %in% c("", "."), NA))
  })
  n <- nrow(result$table)
  expect_length(values[[1]], n)
  for (column in values) expect_identical(which(is.na(column)), n)
  expect_identical(values[[1]][1], 7)
  expect_false(is.unsorted(-values[[1]][-n]))
  expect_identical(values[[2]][1], -3)
  expect_false(is.unsorted(values[[2]][-n]))
  expect_match(parts[4], "^12345,")
})

test_that("pages are turned, also by keys, and paper gets the first rows in their order", {
  skip_on_cran()
  skip_without_browser()
  seen <- in_browser(read_report(), sprintf("%s
    var out = [cells(0).join(',')];
    turn(1);
    out.push(cells(0)[0] + '-' + cells(0).length);
    turn(0);
    out.push(cells(0).join(','));
    sort(0);
    out.push(cells(0)[0]);
    window.dispatchEvent(new Event('beforeprint'));
    out.push(cells(0).join(','));
    box.focus();
    out.push(getComputedStyle(document.activeElement).outlineStyle);
    out.push([].every.call(heads, function (head) {
      return head.querySelector('button').tabIndex === 0;
    }));
    return out.join('|');", hands))
  expect_identical(seen$complaints, character())
  p <- ncol(without_copies(x))
  first <- "1,2,3,4,5"
  expect_identical(
    strsplit(seen$answer, "|", fixed = TRUE)[[1]],
    c(first, "6-25", first, p, first, "solid", "true")
  )
})

test_that("numbers that are found have the digits of those that are shown", {
  shown <- c(2.811885, 1.9)
  expect_identical(cells_of(data.frame(shown))[, 1], c("2.81", "1.90"))
  found <- c(1.23456, 0.5, 0.000123456, NA)
  packed <- pack_column(found, shown, "difference")
  expect_identical(packed, "{\"numbers\":\"1.23 0.50 0.00012 -\"}")
})

test_that("text has the contrast of WCAG 2.1 AA by day and by night, and paper is light", {
  skip_on_cran()
  skip_without_browser()
  # The lowest ratio of a text to what is behind it, and the colour of the page.
  measure <- "
    var colour = function (text) { return text.match(/[\\d.]+/g).map(Number); };
    var light = function (rgb) {
      var part = rgb.slice(0, 3).map(function (v) {
        v /= 255;
        return v <= 0.04045 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4);
      });
      return 0.2126 * part[0] + 0.7152 * part[1] + 0.0722 * part[2];
    };
    var behind = function (node) {
      for (; node; node = node.parentElement) {
        var back = colour(getComputedStyle(node).backgroundColor);
        if (back.length === 3 || back[3] === 1) return back;
      }
      return [255, 255, 255];
    };
    var lowest = 21, texts = 0;
    document.querySelectorAll('body *').forEach(function (node) {
      var own = [].some.call(node.childNodes, function (child) {
        return child.nodeType === 3 && child.textContent.trim();
      });
      if (!own || !node.getClientRects().length) return;
      var back = behind(node), ink = colour(getComputedStyle(node).color), opacity = 1;
      for (var n = node; n; n = n.parentElement) opacity *= getComputedStyle(n).opacity;
      ink = ink.slice(0, 3).map(function (v, i) { return opacity * v + (1 - opacity) * back[i]; });
      var two = [light(ink), light(back)].sort(function (a, b) { return b - a; });
      texts++;
      lowest = Math.min(lowest, (two[0] + 0.05) / (two[1] + 0.05));
    });
    return [lowest, texts, getComputedStyle(document.body).backgroundColor].join('|');"
  page <- paste(read_report(), collapse = "\n")
  night <- sub("@media (prefers-color-scheme: dark)", "@media all", page, fixed = TRUE)
  paper <- sub("@media print", "@media all", night, fixed = TRUE)
  expect_false(any(duplicated(c(page, night, paper))))
  for (kind in list(list(page, "light"), list(night, "dark"), list(paper, "light"))) {
    parts <- strsplit(in_browser(kind[[1]], measure)$answer, "|", fixed = TRUE)[[1]]
    expect_gte(as.numeric(parts[1]), 4.5)
    expect_gt(as.numeric(parts[2]), 50)
    white <- parts[3] == "rgb(255, 255, 255)"
    expect_identical(white, kind[[2]] == "light")
  }
})

test_that("the page of a narrow screen scrolls in one direction only, whatever the names", {
  skip_on_cran()
  skip_without_browser()
  named <- x
  colnames(named) <- sprintf("%s|ENSG00000000000|chr17:41,196,312-41,277,500|x", colnames(x))
  file <- withr::local_tempfile(fileext = ".html")
  fit <- fealect(named, y, n_runs = 20, n_boot = 0, oob = FALSE, seed = 1)
  write_report(fit, file, x = named, y = y)
  page <- readLines(file, encoding = "UTF-8")
  seen <- in_browser(page, width = 500, "
    return [innerWidth, document.documentElement.scrollWidth].join('|');")
  widths <- as.numeric(strsplit(seen$answer, "|", fixed = TRUE)[[1]])
  expect_lte(widths[1], 500)
  expect_lte(widths[2], widths[1])
})

test_that("words are whole, and wide tables scroll in their own box, at 390 and at 1300", {
  skip_on_cran()
  skip_without_browser()
  long <- factor(y, labels = c("adenocarcinoma", "mesothelioma"))
  fit <- fealect(x, long, n_runs = 20, n_boot = 0, permute = 3, seed = 1)
  file <- withr::local_tempfile(fileext = ".html")
  write_report(fit, file, Again = fit, x = x, y = long)
  page <- readLines(file, encoding = "UTF-8")
  script <- "
    var broken = 0, lines = 0;
    [].forEach.call(document.querySelectorAll('td.text'), function (cell) {
      if (!/^(adenocarcinoma|mesothelioma)$/.test(cell.textContent)) return;
      var range = document.createRange();
      range.selectNodeContents(cell);
      lines++;
      if (range.getClientRects().length > 1) broken++;
    });
    var root = document.documentElement;
    var free = [].filter.call(document.querySelectorAll('img, table'), function (part) {
      return part.getBoundingClientRect().right > root.clientWidth + 1 && !part.closest('.wide');
    });
    return [broken, lines, free.length, root.scrollWidth - root.clientWidth].join('|');"
  # A browser has no window of 390 points, but a frame; the script runs in it.
  for (width in c(390, 1300)) {
    frame <- sprintf(
      "<html><head><title></title></head><body><iframe width=%d height=900 srcdoc=\"%s\"></iframe>
      </body></html>", width, gsub("\"", "&quot;", gsub("&", "&amp;", paste(page, collapse = "\n")))
    )
    seen <- in_browser(frame, script, width = 1400)
    parts <- as.numeric(strsplit(seen$answer, "|", fixed = TRUE)[[1]])
    expect_identical(parts[c(1, 3, 4)], c(0, 0, 0))
    expect_gt(parts[2], 10)
  }
})

test_that("the table of a browser without scripts is the one that scripts enhance", {
  page <- paste(read_report(), collapse = "\n")
  shown <- report_table(fit, reported_study(x, y, fit), 5)
  plain <- html_table(shown$table, shown$meanings, "features")
  expect_match(page, plain, fixed = TRUE)
  # What only scripts can do is hidden until they run.
  expect_match(page, "<p class=\"note searched\" hidden>", fixed = TRUE)
  # With all rows at hand "... and 12 more." would be wrong.
  expect_match(page, "note.classList.add(\"paper\")", fixed = TRUE)
  expect_match(page, "@media screen { .paper { display: none; } }", fixed = TRUE)
  # Details are open without scripts, and on paper.
  expect_match(page, "<details class=\"checklist\" open>", fixed = TRUE)
})

# What the script of the page does with the columns.
unpack_rows <- function(page) {
  from <- grep("id=\"rest\">", page, fixed = TRUE)
  to <- min(Filter(function(line) line > from, grep("</script>", page, fixed = TRUE)))
  packed <- jsonlite::fromJSON(paste(page[(from + 1L):(to - 1L)], collapse = "\n"), FALSE)
  columns <- lapply(packed$columns, function(column) {
    if (!is.null(column$lines)) {
      return(strsplit(column$lines, "\n", fixed = TRUE)[[1]])
    }
    tokens <- strsplit(strsplit(column$numbers, " ", fixed = TRUE)[[1]], "*", fixed = TRUE)
    times <- vapply(tokens, function(one) as.integer(c(one, "1")[2]), 0L)
    values <- rep(vapply(tokens, `[`, "", 1L), times)
    if (is.null(column$kinds)) values else unlist(column$kinds)[as.integer(values) + 1L]
  })
  c(packed[c("rows", "listed", "left_out")], list(columns = columns))
}

test_that("a page has all of 12,533 features, is the same twice, and below 1 MB", {
  # Half a minute.
  skip_on_cran()
  skip_if_not_installed("jsonlite")
  many <- withr::with_seed(1, matrix(stats::rnorm(22 * 12533), 22))
  colnames(many) <- sprintf("chr%05d:41,196,312-41,277,500", 1:12533)
  fit <- fealect(many, y, n_runs = 10, n_boot = 0, oob = FALSE, permute = 2, seed = 1)
  # The page has the name of its file.
  files <- file.path(c(withr::local_tempdir(), withr::local_tempdir()), "page.html")
  withr::local_seed(1)
  before <- .Random.seed
  for (file in files) write_report(fit, file, x = many, y = y)
  expect_identical(.Random.seed, before)
  expect_identical(unname(tools::md5sum(files[1])), unname(tools::md5sum(files[2])))
  page <- readLines(files[1], encoding = "UTF-8")
  pictures <- sum(nchar(grep("base64", page, value = TRUE, fixed = TRUE)))
  expect_lt(file.size(files[1]) - pictures, 1e6)
  expect_match(page, "The search finds every feature of the data.", fixed = TRUE, all = FALSE)
  packed <- unpack_rows(page)
  chosen <- length(fit$features)
  expect_identical(
    unlist(packed[1:3], use.names = FALSE), c(12533L - min(25L, chosen), chosen, 0L)
  )
  shown <- report_table(fit, reported_study(many, y, fit), 25)
  expect_identical(packed$columns[[2]], shown$rest$feature)
  expect_setequal(c(shown$table$feature, packed$columns[[2]]), colnames(many))
  for (j in which(vapply(shown$rest, is.numeric, NA))) {
    value <- shown$rest[[j]]
    read <- as.numeric(replace(packed$columns[[j]], packed$columns[[j]] == "-", NA))
    expect_identical(is.na(read), is.na(value))
    expect_lt(max(0, abs(read - value) / pmax(abs(value), 0.1), na.rm = TRUE), 0.06)
  }
})

test_that("what does not fit on the page is said", {
  local_value("most_searched", 50L)
  shown <- report_table(fit, NULL, 5)
  p <- nrow(fit$table)
  expect_identical(c(nrow(shown$rest), shown$left_out), c(45L, p - 50L))
  expect_match(describe_search(shown, 3), sprintf("first 50 features; the other %d", p - 50L))
})

test_that("columns are packed as JSON whatever the names are", {
  skip_if_not_installed("jsonlite")
  names <- c("a\\b", "\"<i>\"", "tab\there", "\u00e9", "</script>", "1*3")
  read <- function(column) jsonlite::fromJSON(pack_column(column, column, "a"))
  expect_identical(
    strsplit(read(names)$lines, "\n")[[1]], sub("\t", " ", names, fixed = TRUE)
  )
  expect_no_match(pack_column(names, names, "a"), "<", fixed = TRUE)
  few <- read(rep(c("up", NA, "down"), each = 9))
  expect_identical(few, list(kinds = c("up", "", "down"), numbers = "0*9 1*9 2*9"))
  expect_identical(read(c(1, 1, NA, 0.5))$numbers, "1.0*2 - 0.5")
  expect_identical(read(c(3L, NA))$numbers, "3 -")
  expect_identical(read(c(Inf, 1e-9, 0))$numbers, "Inf 1e-09 0")
})

test_that("a test of signals has all features, by themselves", {
  signals <- find_signals(x, y, permute = 19, seed = 1)
  shown <- report_table(signals, NULL, 5)
  rows <- rbind(shown$table, shown$rest)
  expect_setequal(sub(" [(].*", "", rows$feature), signals$study$feature_names)
  at <- match(sub(" [(].*", "", rows$feature), signals$marginal$feature)
  expect_identical(rows$p_alone, signals$marginal$p[at])
  expect_false(is.unsorted(rows$p_alone[-seq_along(signals$features)]))
})
