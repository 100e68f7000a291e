//# title = "a call that is made after all is in doubt again where the process dies again"
//# tools = "spec"
//# [[passes]]
//# crash = true
//# [[passes]]
//# pending = [["0", "spec.crash", "in-doubt"]]
//# didNotHappen = "all"
//# [[passes]]
//# crash = true
//# resumesFrom = "snapshot"
//# [[passes]]
//# pending = [["0", "spec.crash", "in-doubt"]]
//# happened = { 0 = '"known"' }
//# [expect]
//# result = '"known"'
//# calls = [["spec.crash", "applied"]]
return await tools.spec.crash(1);
