# On a slow machine any call may be long. What it says of the time to go is a matter of
# test-base-announce.R; elsewhere it would get into snapshots.
assign("long", Inf, envir = get("announcing", asNamespace("stabilect")))
