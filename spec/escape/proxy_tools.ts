//# title = "a Proxy around tools is the program's own"
//# tools = "demo"
//# [expect]
//# result = '[1,"demo"]'
//# calls = [["demo.echo", "applied"]]
let first: PropertyKey = "";
const mine: any = new Proxy(tools, { get(target: any, key) { first ||= key; return target[key]; } });
return [await mine.demo.echo(1), first];
