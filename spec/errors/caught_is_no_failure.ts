//# title = "what the program catches is no failure"
//# [expect]
//# result = '["TypeError","TypeError","RangeError","SyntaxError","URIError","TypeError","string"]'
const names = [];
for (const f of [() => (null as any).x, () => (undefined as any)(), () => new Array(-1), () => JSON.parse("{"), () => decodeURIComponent("%"), () => (1n as any) + 1, () => { throw "text"; }]) {
  try {
    f();
  } catch (error: any) {
    names.push(error.name ?? typeof error);
  }
}
return names;
