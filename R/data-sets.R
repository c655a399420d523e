#' Colon tissue gene expression: 40 tumour and 22 normal samples
#'
#' Expression of 2000 genes in 40 tumour and 22 normal colon tissues, measured with oligonucleotide
#' arrays by Alon et al. (1999). These are the 2000 genes with the highest minimal intensity over
#' the samples. Intensities are not transformed; take logarithms where a method needs them.
#'
#' @format A list with
#' \describe{
#'   \item{x}{(numeric matrix, 62 samples x 2000 genes) intensities. Rows are named `S01` to `S62`
#'     in the order of the source; columns carry the identifiers in `genes$id`.}
#'   \item{genes}{(data frame, 2000 x 2) `id`: unique identifier; `source_name`: the gene's name in
#'   the source without its padding. Some names occur several times there (several probe sets of one
#'   UniGene cluster, and controls); in `id`, the second and later ones end with `_1`, `_2`, ...
#'   Three names that lost their first letters in the source (`a.1000`, `sa.19001`, `sa.41198`) are
#'   completed to `Hsa.`.}
#' }
#' @source Object `Colon` of the CRAN package plsgenomics 1.5-3 (GPL >= 2), made by the script
#'   `data-raw/make-data.R`.
#' @references
#' Alon, U., Barkai, N., Notterman, D. A., Gish, K., Ybarra, S., Mack, D. and Levine, A. J. (1999)
#' Broad patterns of gene expression revealed by clustering analysis of tumor and normal colon
#' tissues probed by oligonucleotide arrays. *Proceedings of the National Academy of Sciences*
#' 96(12), 6745-6750. \doi{10.1073/pnas.96.12.6745}
#' @family data sets
#' @examples
#' dim(colon_genes$x)
#' table(colon_genes$y)
#' head(colon_genes$genes)
"colon_genes"

#' Lymphoma flow cytometry: 7 MCL and 15 SLL patients
#'
#' Features computed from flow cytometry of 7 patients with mantle cell lymphoma (MCL) and 15 with
#' small lymphocytic lymphoma (SLL). These are the data of Zare et al. (2013), who introduced
#' FeaLect. All values equal those in the CRAN package FeaLect. The help page of that package
#' mentions 237 features; there are 236, and the label.
#'
#' @format A data frame with 22 rows (patients, row names are their identifiers) and 237 numeric
#'   columns: first the label `MCL`, 1 for MCL (7 patients) and 0 for SLL (15), then 236 features,
#'   of which 48 are constant.
#' @source Object `mcl_sll` of the CRAN package FeaLect 1.20 (GPL >= 2); the data are from the
#'   British Columbia Cancer Agency. Taken over by the script `data-raw/make-data.R`.
#' @references
#' Zare, H., Haffari, G., Gupta, A. and Brinkman, R. R. (2013) Scoring relevancy of features based
#' on combinatorial analysis of Lasso with application to lymphoma diagnosis. *BMC Genomics* 14
#' (Suppl 1), S14. \doi{10.1186/1471-2164-14-S1-S14}
#' @family data sets
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' y <- factor(mcl_sll$MCL, levels = c(0, 1), labels = c("SLL", "MCL"))
#' dim(x)
#' table(y)
"mcl_sll"
