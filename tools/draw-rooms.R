# Draws the picture of the rooms in DESIGN.md: `make rooms`.
source("tools/rooms.R")
calls <- read_calls(read_definitions())
lines <- readLines("DESIGN.md")
writeLines(with_picture(lines, room_arrows(calls), names(read_allowed())), "DESIGN.md")
