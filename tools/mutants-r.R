# Where R code can be broken: the sites of mutants in R/, by the parser's positions. Sourced by
# tools/mutate.R. Strings, messages and comments are never touched.

# Calls whose arguments are words for the user.
message_calls <- c(
  "abort", "cli_abort", "cli_inform", "cli_warn", "inform", "warn", "stop", "warning", "message",
  "sprintf", "paste", "paste0", "cat", "format", "dQuote", "structure", "library"
)
# Calls whose arguments may change places without effect.
commutative_calls <- c(
  "c", "list", "identical", "union", "intersect", "max", "min", "cbind", "rbind", "data.frame",
  "all.equal", "pmin", "pmax", "switch", "function", "outer"
)
operator_swaps <- list(
  GT = ">=", GE = ">", LT = "<=", LE = "<", EQ = "!=", NE = "==", AND2 = "||", OR2 = "&&",
  AND = "|", OR = "&"
)
arithmetic_swaps <- c("'+'" = "-", "'-'" = "+", "'*'" = "/", "'/'" = "*")
name_swaps <- c(
  min = "max", max = "min", any = "all", all = "any", which.max = "which.min",
  which.min = "which.max", rowSums = "colSums", colSums = "rowSums", rowMeans = "colMeans",
  colMeans = "rowMeans", floor = "ceiling", ceiling = "floor", union = "intersect",
  pmin = "pmax", pmax = "pmin", head = "tail", nrow = "ncol", ncol = "nrow", cumsum = "cumprod"
)

# @return (data frame) file, line, from, to (lines), col1, col2, kind, before, after.
sites_in_r_file <- function(file) {
  pd <- utils::getParseData(parse(file, keep.source = TRUE), includeText = TRUE)
  pd <- pd[pd$token != "COMMENT", ]
  quiet <- message_parts(pd)
  sites <- rbind(
    token_sites(pd), condition_sites(pd), deletion_sites(pd), argument_sites(pd)
  )
  sites <- if (!is.null(sites)) sites[!sites$id %in% quiet, ]
  if (NROW(sites) == 0L) {
    return(NULL)
  }
  at <- match(sites$id, pd$id)
  data.frame(
    file = file, line = pd$line1[at], last = pd$line2[at], col1 = pd$col1[at], col2 = pd$col2[at],
    kind = sites$kind, before = pd$text[at], after = sites$after
  )
}

# The ids of all that stands in a message.
message_parts <- function(pd) {
  calls <- pd[pd$token == "SYMBOL_FUNCTION_CALL" & pd$text %in% message_calls, ]
  heads <- pd$parent[match(calls$parent, pd$id)]
  parts <- heads
  repeat {
    more <- setdiff(pd$id[pd$parent %in% parts], parts)
    if (length(more) == 0L) {
      return(parts)
    }
    parts <- c(parts, more)
  }
}

site_rows <- function(id, kind, after) {
  if (length(id) == 0L) {
    return(NULL)
  }
  data.frame(id = id, kind = kind, after = unname(after))
}

token_sites <- function(pd) {
  n_siblings <- table(factor(pd$parent, unique(pd$parent)))[as.character(pd$parent)]
  compare <- pd$token %in% names(operator_swaps)
  binary <- pd$token %in% names(arithmetic_swaps) & n_siblings == 3L
  sign <- pd$token == "'-'" & n_siblings == 2L
  not <- pd$token == "'!'" & n_siblings == 2L
  number <- pd$token == "NUM_CONST" & !grepl("NA|Inf|NaN", pd$text)
  flag <- number & pd$text %in% c("TRUE", "FALSE")
  named <- pd$token == "SYMBOL_FUNCTION_CALL" & pd$text %in% names(name_swaps)
  rbind(
    site_rows(pd$id[compare], "comparison", unlist(operator_swaps[pd$token[compare]])),
    site_rows(pd$id[binary], "arithmetic", arithmetic_swaps[pd$token[binary]]),
    site_rows(pd$id[sign], "sign", rep("", sum(sign))),
    site_rows(pd$id[not], "condition", rep("", sum(not))),
    site_rows(pd$id[flag], "flag", ifelse(pd$text[flag] == "TRUE", "FALSE", "TRUE")),
    site_rows(
      pd$id[number & !flag], "constant", vapply(pd$text[number & !flag], other_number, "")
    ),
    site_rows(pd$id[named], "function", name_swaps[pd$text[named]])
  )
}

# One more for whole numbers, 0 for 1, and twice the others.
other_number <- function(text) {
  if (grepl("^[0-9]+L?$", text)) {
    value <- as.integer(sub("L", "", text))
    other <- if (identical(value, 1L)) 0L else value + 1L
    return(paste0(other, if (endsWith(text, "L")) "L"))
  }
  paste0("(2 * ", text, ")")
}

# if (condition): always, never.
condition_sites <- function(pd) {
  heads <- pd[pd$token == "IF", ]
  conditions <- vapply(heads$parent, function(parent) {
    pd$id[pd$parent == parent & pd$token == "expr"][1]
  }, 1L)
  rbind(
    site_rows(conditions, "condition", rep("FALSE", length(conditions))),
    site_rows(conditions, "condition", rep("TRUE", length(conditions)))
  )
}

# A statement between braces that is not the last.
deletion_sites <- function(pd) {
  blocks <- pd$parent[pd$token == "'{'"]
  ids <- unlist(lapply(blocks, function(block) {
    statements <- pd$id[pd$parent == block & pd$token %in% c("expr", "equal_assign")]
    utils::head(statements, -1L)
  }))
  text <- pd$text[match(ids, pd$id)]
  # A deleted definition is noticed by whoever uses it.
  kept <- !grepl("^[[:alnum:]_.]+ <- ", text) & !grepl("^on.exit|^if .*abort", text)
  site_rows(ids[kept], "deletion", rep("NULL", sum(kept)))
}

# f(a, b) becomes f(b, a).
argument_sites <- function(pd) {
  calls <- pd[pd$token == "SYMBOL_FUNCTION_CALL" & !pd$text %in% commutative_calls, ]
  rows <- lapply(seq_len(nrow(calls)), function(k) {
    whole <- pd$parent[pd$id == calls$parent[k]]
    children <- pd[pd$parent == whole, ]
    children <- children[order(children$line1, children$col1), ]
    token <- children$token
    plain <- length(token) >= 6L && identical(token[2:5], c("'('", "expr", "','", "expr")) &&
      token[6] %in% c("','", "')'") && children$text[3] != children$text[5]
    if (!plain) {
      return(NULL)
    }
    rest <- if (length(token) > 6L) {
      text <- pd$text[pd$id == whole]
      first <- paste0(children$text[1], "(", children$text[3])
      # Only where the call is written on one line in one way, so that its end can be read off.
      start <- paste0(first, ", ", children$text[5])
      if (!startsWith(text, start)) {
        return(NULL)
      }
      substring(text, nchar(start) + 1L)
    } else {
      ")"
    }
    after <- paste0(children$text[1], "(", children$text[5], ", ", children$text[3], rest)
    site_rows(whole, "arguments", after)
  })
  do.call(rbind, rows)
}

# The lines of a file with one site changed.
mutated_lines <- function(file, site) {
  lines <- readLines(file)
  head <- substr(lines[site$line], 1L, site$col1 - 1L)
  tail <- substring(lines[site$last], site$col2 + 1L)
  changed <- strsplit(paste0(head, site$after, tail), "\n", fixed = TRUE)[[1]]
  c(utils::head(lines, site$line - 1L), changed, utils::tail(lines, -site$last))
}
