//# title = "Error.captureStackTrace writes a stack of the program and nothing else"
//# differsFromNode = "a stack of V8 looks another way"
//# [expect]
//# result = '[["stack"],"Error\n    at inner (main.ts:6:36)\n    at <anonymous> (main.ts:7:1)"]'
const target: any = {};
const inner = () => (Error as any).captureStackTrace(target);
inner();
return [Reflect.ownKeys(target), target.stack];
