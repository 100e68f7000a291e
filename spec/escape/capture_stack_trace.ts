//# title = "Error.captureStackTrace writes a stack of the program and nothing else"
//# tools = "demo"
//# [expect]
//# result = '[["stack"],true,false]'
const target: any = {};
(Error as any).captureStackTrace?.(target);
target.stack ??= "";
return [Reflect.ownKeys(target), typeof target.stack === "string", /isobox|prelude|wasm/.test(target.stack)];
