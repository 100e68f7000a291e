//# title = "a call in doubt that is resolved as happened gets the given result, and is not made again"
//# tools = "spec"
//# [[passes]]
//# crash = true
//# [[passes]]
//# pending = [["1", "spec.crash", "in-doubt"]]
//# calls = [["demo.echo", "applied"], ["spec.crash", "in-doubt"]]
//# happened = { 1 = '{"known":true}' }
//# [expect]
//# result = '[1,{"known":true},3]'
//# calls = [["demo.echo", "applied"], ["spec.crash", "applied"], ["demo.echo", "applied"]]
return [await tools.demo.echo(1), await tools.spec.crash(2), await tools.demo.echo(3)];
