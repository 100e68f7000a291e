//# title = "setters on Object.prototype and Array.prototype do not see the values that cross the wall"
//# tools = "demo"
//# [expect]
//# result = '["",{"a":[1,2.5,{"b":"é"}]},"boom","TOOL"]'
//# calls = [["demo.echo", "applied"], ["demo.fail", "failed"]]
let seen = "";
const trap = (target: object, name: string) =>
  Object.defineProperty(target, name, { set() { seen += "set " + name + ";"; }, get() { seen += "get " + name + ";"; return undefined; }, configurable: true });
const names = ["a", "b", "message", "name", "code", "promise"];
const input = JSON.parse('{"a":[1,2.5,{"b":"é"}]}');
const failing = { message: "boom" };
names.forEach((name) => trap(Object.prototype, name));
["0", "1", "2"].forEach((name) => trap(Array.prototype, name));
const call = tools.demo.echo(input);
const failed = tools.demo.fail(failing);
const answer = await call;
let error: any;
try { await failed; } catch (caught) { error = caught; }
const found = seen;
for (const name of names) delete (Object.prototype as any)[name];
for (const name of ["0", "1", "2"]) delete (Array.prototype as any)[name];
return [found, answer, error.message, error.code];
