# Sourced by the pages that draw. A page holds its pictures, and the package holds the pages: in 32
# colours, none of them dithered, these take a quarter of the room. Without pngquant they stay as
# they are drawn.
if (nzchar(Sys.which("pngquant"))) {
  knitr::knit_hooks$set(pngquant = knitr::hook_pngquant)
  knitr::opts_chunk$set(pngquant = "32 --nofs --speed 1")
}
