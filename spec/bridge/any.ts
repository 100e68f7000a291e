//# title = "Promise.any has the first that succeeds; errors of the others are those of the calls"
//# tools = "demo"
//# [expect]
//# result = '[1,["TOOL","UNKNOWN_TOOL"]]'
//# calls = [["demo.fail", "failed"], ["demo.echo", "applied"], ["demo.fail", "failed"], ["no.tool", "failed"]]
const first = await Promise.any([tools.demo.fail({ message: "x" }), tools.demo.echo(1)]);
const error: any = await Promise.any([tools.demo.fail({ message: "x" }), tools.no.tool()]).catch((error) => error);
return [first, error.errors.map((one: any) => one.code)];
