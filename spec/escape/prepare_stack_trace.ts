//# title = "Error.prepareStackTrace gets call sites of the program's own functions, which make no code either"
//# differsFromNode = "call sites of V8 have other methods"
//# [expect]
//# result = '[["own","main.ts",5,false,"code cannot be made from text here"],[null,"main.ts",7,false,"code cannot be made from text here"]]'
function own(): any { return new Error().stack; }
(Error as any).prepareStackTrace = (_: Error, sites: any[]) => sites;
const sites = own();
delete (Error as any).prepareStackTrace;
const message = (value: any) => { try { return value.constructor("return 1")(); } catch (error) { return error.message; } };
return sites.map((site: any) => [site.getFunctionName(), site.getFileName(), site.getLineNumber(), site.isNative(), message(site.getFunction())]);
