one_line <- function(condition) gsub("\\s+", " ", cli::ansi_strip(conditionMessage(condition)))

test_that("experiment_data() without a name says what each set is and whether it is there", {
  folder <- withr::local_tempdir()
  withr::local_envvar(STABILECT_DATA = folder)
  saveRDS(list(x = matrix(1, 2, 2), y = factor(1:2)), file.path(folder, "sonar.rds"))
  sets <- experiment_data()
  expect_named(sets, c(
    "name", "n", "p", "classes", "cran_package", "cran_object", "source", "available"
  ))
  expect_identical(sets$name[sets$available], "sonar")
  expect_identical(anyDuplicated(sets$name), 0L)
  sonar <- sets[sets$name == "sonar", ]
  expect_identical(c(sonar$n, sonar$p, sonar$classes), c(208L, 60L, 2L))
  expect_false(anyNA(sets[c("name", "n", "p", "classes", "source")]))
})

test_that("experiment_data() reads a set and fills in its source", {
  folder <- withr::local_tempdir()
  withr::local_envvar(STABILECT_DATA = folder)
  x <- matrix(1:4 / 2, 2)
  y <- factor(c("M", "R"))
  saveRDS(list(x = x, y = y), file.path(folder, "sonar.rds"))
  set <- experiment_data("sonar")
  expect_identical(set[c("x", "y", "name")], list(x = x, y = y, name = "sonar"))
  expect_match(set$source, "mlbench")
  expect_identical(set$reference, NA_character_)
  saveRDS(
    list(x = x, y = y, source = "own", reference = "none"), file.path(folder, "sonar.rds")
  )
  expect_identical(experiment_data("sonar")[c("source", "reference")], list(
    source = "own", reference = "none"
  ))
})

test_that("experiment_data() reads from no folder that was not named", {
  folder <- withr::local_tempdir()
  dir.create(file.path(folder, "shared", "data"), recursive = TRUE)
  dir.create(file.path(folder, "work"))
  saveRDS(
    list(x = matrix(1, 2, 2), y = factor(1:2)), file.path(folder, "shared", "data", "sonar.rds")
  )
  withr::local_envvar(STABILECT_DATA = NA)
  withr::local_dir(file.path(folder, "work"))
  expect_false(any(experiment_data()$available))
  expect_error(experiment_data("sonar"), "no folder is named", class = "stabilect_error_data")
})

test_that("experiment_data() says where a missing set can be had", {
  withr::local_envvar(STABILECT_DATA = withr::local_tempdir())
  error <- expect_error(experiment_data("khan"), class = "stabilect_error_data")
  text <- one_line(error)
  expect_match(text, "The data set \"khan\" is not in the folder")
  expect_match(text, "khan.rds", fixed = TRUE)
  expect_match(text, "STABILECT_DATA", fixed = TRUE)
  expect_match(text, "package plsgenomics|sda|pamr, object SRBCT|khan2001|khan", fixed = TRUE)
  expect_identical(error$call[[1]], quote(experiment_data))
  error <- expect_error(experiment_data("gravier"), class = "stabilect_error_data")
  expect_match(one_line(error), "No CRAN package is known to ship it.", fixed = TRUE)
})

test_that("experiment_data() refuses unknown names and files of another shape", {
  folder <- withr::local_tempdir()
  withr::local_envvar(STABILECT_DATA = folder)
  error <- expect_error(experiment_data("../secret"), class = "stabilect_error_input")
  expect_match(one_line(error), "must be the name of one data set, not \"../secret\"", fixed = TRUE)
  expect_error(experiment_data(c("khan", "sonar")), class = "stabilect_error_input")
  expect_error(experiment_data(NA), "not NA", class = "stabilect_error_input")
  saveRDS(list(x = matrix(1, 2, 2)), file.path(folder, "sonar.rds"))
  expect_error(experiment_data("sonar"), class = "stabilect_error_data")
  saveRDS(1:3, file.path(folder, "sonar.rds"))
  error <- expect_error(experiment_data("sonar"), class = "stabilect_error_data")
  expect_match(one_line(error), "does not hold a list with x and y", fixed = TRUE)
})

test_that("the sets that are there have the size the table gives", {
  sets <- experiment_data()
  sets <- sets[sets$available & sets$n * sets$p < 2e5, ]
  skip_if(nrow(sets) == 0L, "no experiment data")
  for (i in seq_len(nrow(sets))) {
    set <- experiment_data(sets$name[i])
    expect_identical(dim(set$x), c(sets$n[i], sets$p[i]), info = sets$name[i])
    expect_identical(nlevels(set$y), sets$classes[i], info = sets$name[i])
  }
})

test_that("the folder of data sets is made from packages, and what it lacks is said", {
  skip_on_cran()
  folder <- withr::local_tempdir()
  run <- function() {
    callr::rscript(
      sources("tools", "data-folder.R"), c(folder, "offline"), wd = sources(), show = FALSE,
      spinner = FALSE, stderr = "2>&1", fail_on_status = FALSE
    )
  }
  said <- run()$stdout
  expect_match(said, "Made: .*skf_colon")
  expect_match(said, "skf_leukemia needs golub.rds")
  expect_match(said, "golub, not fetched: https://.*/datamicroarray/[0-9a-f]{40}/data/golub.RData")
  expect_match(said, "lsvt, not made here: github:")
  colon <- readRDS(file.path(folder, "skf_colon.rds"))
  spread <- scale(colon_genes$x)
  expect_identical(unname(colon$x == 2), unname(spread > 0.5))
  expect_identical(unname(colon$x == -2), unname(spread < -0.5))
  expect_identical(colon$y, colon_genes$y)
  withr::local_envvar(STABILECT_DATA = folder)
  expect_identical(experiment_data("mcl_sll")$x, as.matrix(mcl_sll[, -1]))
  # Again: nothing is made twice.
  expect_no_match(run()$stdout, "Made")
  # A file with another checksum is not read.
  writeLines("another file", file.path(folder, "downloaded", "golub.RData"))
  refused <- run()
  expect_gt(refused$status, 0)
  expect_match(refused$stdout, "golub.RData is not the file with the checksum")
})

test_that("every file to fetch has its checksum, and is of a set that is listed", {
  files <- utils::read.csv(sources("tools", "data-downloads.csv"))
  expect_match(files$md5, "^[0-9a-f]{32}$")
  expect_match(files$commit, "^[0-9a-f]{40}$")
  known <- experiment_data()
  expect_identical(setdiff(files$name, known$name), character())
  # All sets of scikit-feature that are listed are made: from these files, or from others.
  others <- c("skf_colon", "skf_leukemia")
  expect_setequal(c(files$name, others), c(grep("^skf", known$name, value = TRUE),
    "alon", "borovecki", "golub", "gravier", "khan", "singh"
  ))
})
