//# title = "no function gets the global object, or anything of the host, as its receiver"
//# differsFromNode = "timers of Node have a receiver"
//# [expect]
//# result = '["undefined","undefined","undefined"]'
const seen: string[] = [];
seen.push(typeof (function (this: unknown) { return this; })());
[1].forEach(function (this: unknown) { seen.push(typeof this); });
await new Promise<void>((resolve) => setTimeout(function (this: unknown) { seen.push(typeof this); resolve(); }, 1));
return seen;
