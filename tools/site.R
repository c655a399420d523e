# The pages of the package as a web site in .build/site, and a check of its links: every address
# within the site must be a file, and every anchor must be in it.
if (!requireNamespace("pkgdown", quietly = TRUE)) {
  stop("`make site` needs the R package pkgdown.", call. = FALSE)
}
.libPaths(c(normalizePath(file.path(".build", "lib")), .libPaths()))
options(pkgdown.internet = FALSE)
# pages name packages that need not be installed here; downlit would ask the web for their addresses
# and fail without it. They go without a link.
utils::assignInNamespace(
  "CRAN_urls", function() data.frame(Package = character(), URL = character()), "downlit"
)
site <- file.path(".build", "site")
unlink(site, recursive = TRUE)
pkgdown::build_site(
  override = list(destination = site), preview = FALSE, install = FALSE, new_process = FALSE
)

# The index names functions that users call; pkgdown lists the methods of their pages beside them.
index <- file.path(site, "reference", "index.html")
lines <- readLines(index, warn = FALSE)
code <- "<code><a href=\"[^\"]*\">%s</a></code>"
method <- sprintf(
  code, "((autoplot|tidy|glance|augment)[.][^<]*|[^<]*[(]<i>[^<]*</i>[)])"
)
verbs <- trimws(gsub(" +", " ", gsub(method, "", lines)))
# Pages of methods alone keep the first.
first <- sub("(<code>.*?</code>).*", "\\1", lines, perl = TRUE)
lines <- ifelse(grepl(method, lines), ifelse(grepl("<code>", verbs), verbs, first), lines)
writeLines(lines, index)

# Debian's pkgdown takes MathJax from this machine, and its settings from the web: both from there.
for (page in list.files(site, "html$", recursive = TRUE, full.names = TRUE)) {
  text <- readLines(page, warn = FALSE)
  web <- '.*"(https://[^"]*/mathjax/[^/"]*/)config/[^"]*".*'
  base <- unique(sub(web, "\\1", grep(web, text, value = TRUE)))[1]
  writeLines(gsub('"file://[^"]*/MathJax[.]js"', sprintf('"%sMathJax.js"', base), text), page)
}

# Without the site's address, search leads to paths from the root of the host: from the folder of
# the search index instead.
script <- file.path(site, "pkgdown.js")
target <- "s.path + \"?q=\" + q + \"#\" + s.id"
lines <- readLines(script, warn = FALSE)
stopifnot(any(grepl(target, lines, fixed = TRUE)))
writeLines(gsub(target, paste0(
  "new URL(s.path.replace(/^\\//, \"\") + \"?q=\" + q + \"#\" + s.id, ",
  "new URL($(\"#search-input\").data(\"search-index\"), window.location.href))"
), lines, fixed = TRUE), script)

links_of <- function(page) {
  text <- paste(readLines(page, warn = FALSE), collapse = "\n")
  at <- gregexpr('(href|src)="[^"]*"', text)
  sub('"$', "", sub('^(href|src)="', "", regmatches(text, at)[[1]]))
}
is_broken <- function(page, link) {
  file <- sub("[#?].*$", "", link)
  target <- if (nzchar(file)) file.path(dirname(page), utils::URLdecode(file)) else page
  if (dir.exists(target)) target <- file.path(target, "index.html")
  anchor <- if (grepl("#", link, fixed = TRUE)) sub("^[^#]*#", "", link) else ""
  !file.exists(target) || (nzchar(anchor) && grepl("html$", target) && !any(grepl(
    sprintf('(id|name)="%s"', anchor), readLines(target, warn = FALSE), fixed = FALSE
  )))
}
pages <- list.files(site, "html$", recursive = TRUE, full.names = TRUE)
broken <- 0L
for (page in pages) {
  links <- unique(links_of(page))
  # Addresses on the web are not looked up; those of files of this machine count as broken.
  inner <- links[!grepl("^((https?|mailto|data|javascript):|//|#$)", links) & nzchar(links)]
  for (link in inner[vapply(inner, is_broken, NA, page = page)]) {
    cat("broken: ", link, " in ", page, "\n", sep = "")
    broken <- broken + 1L
  }
}
cat(sprintf("%d pages, %d broken links\n", length(pages), broken))
if (broken > 0L) quit(status = 1L)
