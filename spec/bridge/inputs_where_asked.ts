//# title = "inputs of calls are in their records where they are asked for, in the order of the calls"
//# tools = "demo"
//# inputs = true
//# [expect]
//# result = 'null'
//# calls = [["demo.echo", "applied"], ["nothing", "failed"], ["demo.wait", "failed"]]
//# inputs = ['{"b":1,"a":[2]}', '{}', '{"ms":"soon"}']
await tools.demo.echo({ b: 1, a: [2] });
await tools.nothing().catch(() => {});
await tools.demo.wait({ ms: "soon" } as any).catch(() => {});
