# The report in a browser: sorting and searching, without errors, and what is there without scripts.
x <- as.matrix(mcl_sll[, -1])
y <- factor(mcl_sll$MCL, labels = c("SLL", "MCL"))
fit <- fealect(x, y, n_runs = 20, n_boot = 0, oob = FALSE, seed = 1)

# @param script (string) JavaScript run after the page's own; what it returns is the answer.
# @return list(answer, complaints (character) of the browser's console).
in_browser <- function(page, script, width = 1000) {
  folder <- withr::local_tempdir()
  file <- file.path(folder, "page.html")
  probe <- sprintf("<script>document.title = (function () {%s})();</script></body>", script)
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

test_that("features are sorted and searched in a browser", {
  skip_on_cran()
  skip_if_not_installed("DT")
  skip_without_browser()
  page <- read_report()
  shown <- report_table(fit, reported_study(x, y, fit), 5)
  features <- c(shown$table$feature, shown$rest$feature)
  seen <- in_browser(page, sprintf("
    var first = function () {
      var rows = document.querySelectorAll('#features tbody tr');
      return rows.length + ' ' + rows[0].cells[1].textContent;
    };
    var out = [first()];
    var heads = document.querySelectorAll('#features th');
    heads[0].click();
    out.push(first());
    var box = document.querySelector('.dataTables_filter input');
    box.value = '%s';
    box.dispatchEvent(new Event('input', {bubbles: true}));
    jQuery(box).trigger('search');
    out.push(first());
    window.dispatchEvent(new Event('beforeprint'));
    out.push(first());
    out.push([].every.call(heads, function (h) { return h.tabIndex === 0; }));
    return out.join('|');", fit$features[2]))
  expect_identical(seen$complaints, character())
  top <- paste(5, fit$features[1])
  parts <- strsplit(seen$answer, "|", fixed = TRUE)[[1]]
  expect_identical(parts[c(1, 4, 5)], c(top, top, "true"))
  expect_identical(parts[2], paste(5, features[length(features)]))
  found <- grep(fit$features[2], features, value = TRUE, fixed = TRUE)
  expect_identical(parts[3], paste(min(5L, length(found)), found[length(found)]))
})

test_that("the table is sorted and turned over by keys, and what has the focus shows it", {
  skip_on_cran()
  skip_if_not_installed("DT")
  skip_without_browser()
  seen <- in_browser(read_report(), "
    var first = function () {
      return document.querySelector('#features tbody tr').cells[0].textContent;
    };
    var press = function (where) {
      where.focus();
      jQuery(where).trigger(jQuery.Event('keypress', {which: 13}));
      return first();
    };
    var out = [press(document.querySelectorAll('.paginate_button:not(.disabled)')[1])];
    out.push(press(document.querySelector('#features th')));
    document.querySelector('.dataTables_filter input').focus();
    out.push(getComputedStyle(document.activeElement).outlineStyle);
    return out.join('|');")
  expect_identical(seen$answer, paste(6, ncol(without_copies(x)), "solid", sep = "|"))
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

test_that("the table of a browser without scripts is the one that scripts enhance", {
  skip_if_not_installed("DT")
  page <- paste(read_report(), collapse = "\n")
  shown <- report_table(fit, reported_study(x, y, fit), 5)
  plain <- html_table(shown$table, shown$meanings, "features")
  expect_match(page, plain, fixed = TRUE)
  # What only scripts can do is hidden until they run.
  expect_match(page, "<p class=\"note searched\" hidden>", fixed = TRUE)
  # With all rows at hand "... and 12 more." would be wrong.
  expect_match(page, "$(function () { $(\".unlisted\").addClass(\"paper\"); })", fixed = TRUE)
  expect_match(page, "@media screen { .paper { display: none; } }", fixed = TRUE)
})

test_that("a page with the rows of 5,000 features is the same twice, and below 2 MB", {
  skip_if_not_installed("DT")
  many <- withr::with_seed(1, matrix(stats::rnorm(22 * 5000), 22))
  colnames(many) <- sprintf("chr%05d:41,196,312-41,277,500", 1:5000)
  fit <- fealect(many, y, n_runs = 10, n_boot = 0, oob = FALSE, permute = 2, seed = 1)
  # The page has the name of its file.
  files <- file.path(c(withr::local_tempdir(), withr::local_tempdir()), "page.html")
  withr::local_seed(1)
  before <- .Random.seed
  for (file in files) write_report(fit, file, x = many, y = y)
  expect_identical(.Random.seed, before)
  expect_identical(unname(tools::md5sum(files[1])) == unname(tools::md5sum(files[2])), TRUE)
  expect_lt(file.size(files[1]), 2e6)
  rows <- report_table(fit, reported_study(many, y, fit), 25)
  expect_length(grep("^\\[?\\[\"[0-9]+\",", readLines(files[1])), nrow(rows$rest))
  expect_identical(nrow(rows$table) + nrow(rows$rest), 5000L)
})

test_that("rows are JSON whatever the names are", {
  skip_if_not_installed("jsonlite")
  names <- c("a\\b", "\"<i>\"", "tab\there", "\u00e9")
  rows <- jsonlite::fromJSON(rows_of(data.frame(rank = 1:4, feature = names)))
  expect_identical(rows[, 1], as.character(1:4))
  expect_identical(rows[, 2], c("a\\b", "&quot;&lt;i&gt;&quot;", "tab here", "\u00e9"))
  expect_identical(rows_of(data.frame(rank = integer(), feature = character())), "[]")
})
