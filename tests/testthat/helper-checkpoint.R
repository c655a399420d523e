# The content of a checkpoint, and a checkpoint with that content.
checkpoint_content <- function(file) read_checkpoint(file, .Machine$integer.max)

write_content <- function(stored, file) {
  writeBin(checkpoint_bytes(stored$header, stored$parts), file)
}
