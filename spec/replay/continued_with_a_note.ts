//# title = "a call whose tool has left a note is continued after a crash, and no person is asked"
//# tools = "spec"
//# [[passes]]
//# crash = true
//# [expect]
//# result = '[1,{"done":2},3]'
//# calls = [["demo.echo", "applied"], ["spec.task", "applied"], ["demo.echo", "applied"]]
return [await tools.demo.echo(1), await tools.spec.task(2), await tools.demo.echo(3)];
