//# title = "a call in doubt that has not happened is made now, with the same key"
//# tools = "spec"
//# [[passes]]
//# crash = true
//# [[passes]]
//# pending = [["1", "spec.crash", "in-doubt"]]
//# didNotHappen = ["1"]
//# [expect]
//# result = '[1,{"done":2}]'
//# calls = [["demo.echo", "applied"], ["spec.crash", "applied"]]
return [await tools.demo.echo(1), await tools.spec.crash(2)];
