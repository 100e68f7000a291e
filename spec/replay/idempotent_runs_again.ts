//# title = "a call in doubt of an idempotent tool is made again without a question"
//# tools = "spec"
//# [[passes]]
//# crash = true
//# [expect]
//# result = '[1,{"done":2}]'
//# calls = [["demo.echo", "applied"], ["spec.crashSafely", "applied"]]
return [await tools.demo.echo(1), await tools.spec.crashSafely(2)];
