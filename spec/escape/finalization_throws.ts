//# title = "a FinalizationRegistry whose function throws ends the program like any other uncaught error"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "issued"]]
//# [expect.error]
//# code = "THROWN"
//# name = 'Error'
//# message = 'from a finalizer'
//# line = 11
//# column = 57
const registry = new FinalizationRegistry(() => { throw new Error("from a finalizer"); });
registry.register({}, 1);
await tools.demo.echo(1);
return 1;
