//# title = "an output with __proto__ has an own property of that name, and pollutes nothing"
//# tools = "spec"
//# [expect]
//# result = '[true,null,1,true,["__proto__","a"]]'
//# calls = [["spec.value", "applied"]]
const value: any = await tools.spec.value({ kind: "proto" });
return [
  Object.getPrototypeOf(value) === Object.prototype, ({} as any).polluted ?? null, value.a,
  value["__proto__"].polluted, Object.keys(value).sort(),
];
