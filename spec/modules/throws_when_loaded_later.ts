//# title = "a program can catch the error of a module that it loads while it runs"
//# tools = "spec"
//# [modules]
//# early = "throw new RangeError('not today')"
//# [expect]
//# result = '["RangeError","not today",true]'
//# calls = [["demo.echo", "applied"]]
await tools.demo.echo(1);
const load = () => import('early').catch((error) => error);
const error = await load();
return [error.name, error.message, (await load()) === error];
