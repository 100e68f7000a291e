//# title = "Error.prepareStackTrace gets call sites without anything of the host"
//# tools = "demo"
//# [expect]
//# result = '[true,[],"code cannot be made from text here"]'
(Error as any).prepareStackTrace = (_: Error, sites: any[]) => sites;
const sites: any = new Error().stack;
delete (Error as any).prepareStackTrace;
const foreign: string[] = [];
let message = "no function";
for (const site of Array.isArray(sites) ? sites : []) {
  const own = site.getFunction?.();
  if (typeof own === "function") try { own.constructor("return 1"); message = "made"; } catch (error) { message = error.message; }
  for (const name of ["getThis", "getTypeName", "getEvalOrigin"]) if (site[name]?.() !== undefined) foreign.push(name);
}
return [Array.isArray(sites), foreign, message === "no function" ? "code cannot be made from text here" : message];
