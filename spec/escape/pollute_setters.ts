//# title = "setters on Object.prototype and Array.prototype do not see the values that cross the wall"
//# tools = "demo"
//# [expect]
//# result = '[[],{"a":[1,2,{"b":3}]},"boom","TOOL"]'
//# calls = [["demo.echo", "applied"], ["demo.fail", "failed"]]
const seen: unknown[] = [];
const trap = (target: object, name: PropertyKey) =>
  Object.defineProperty(target, name, { set(value) { seen.push([name, value]); }, get() { seen.push(name); return undefined; }, configurable: true });
for (const name of ["a", "b", "message", "name", "code", "then", "length", "promise", "toJSON"]) if (name !== "then" && name !== "toJSON") trap(Object.prototype, name);
for (const name of ["0", "1", "2"]) trap(Array.prototype, name);
const call = tools.demo.echo(JSON.parse('{"a":[1,2,{"b":3}]}'));
const failed = tools.demo.fail({ message: "boom" });
const answer = await call;
const error: any = await failed.catch((error) => error);
const found = seen.length;
for (const name of ["a", "b", "message", "name", "code", "length", "promise"]) delete (Object.prototype as any)[name];
for (const name of ["0", "1", "2"]) delete (Array.prototype as any)[name];
return [seen.slice(0, found), answer, error.message, error.code];
