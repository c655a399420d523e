# What is needed to make the report again.

# @param call (call) of write_report(), as the user wrote it.
# @return (character) lines of R.
script_of <- function(fit, call) {
  name <- if (is.symbol(call$fit)) as.character(call$fit) else "fit"
  call$fit <- as.name(name)
  call[[1]] <- as.name("write_report")
  c(
    sprintf("# %s, stabilect %s", R.version.string, utils::packageVersion("stabilect")),
    sprintf("# Data: %s", describe_study(fit$study)),
    if (!is.null(fit$study$hash)) sprintf("# Fingerprint of x and y: %s", fit$study$hash),
    if (!is.null(fit$study$prepared)) paste("# Prepared data:", next_study(fit)),
    "library(stabilect)",
    lines_of_call(fit, name),
    paste(trimws(deparse(call, width.cutoff = 500L)), collapse = " ")
  )
}

# The call that made the result, with its seed even if that was drawn.
lines_of_call <- function(fit, name) {
  if (!is.null(fit$made$merged)) {
    return(sprintf("# %s: %s", name, describe_seed(fit$made)))
  }
  call <- tryCatch(str2lang(fit$made$call), error = function(e) NULL)
  if (!is.call(call)) {
    return(sprintf("# %s: %s", name, describe_origin(fit)))
  }
  if (is.null(call$seed)) call$seed <- as.numeric(fit$made$seed)
  paste(name, "<-", paste(trimws(deparse(call, width.cutoff = 500L)), collapse = " "))
}

section_rerun <- function(fit, call) {
  section(
    "To make this report again",
    html_tag("p", "The same data, seed and version give the same result, bit for bit."),
    html_tag("pre", escape_html(paste(script_of(fit, call), collapse = "\n")))
  )
}
