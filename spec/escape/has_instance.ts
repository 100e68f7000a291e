//# title = "Symbol.hasInstance of the program decides nothing in the bridge"
//# tools = "demo"
//# [expect]
//# result = '["TOOL",true]'
//# calls = [["demo.fail", "failed"]]
Object.defineProperty(Error, Symbol.hasInstance, { value: () => true });
Object.defineProperty(Promise, Symbol.hasInstance, { value: () => false });
const error: any = await tools.demo.fail({ message: "x" }).catch((error) => error);
return [error.code, {} instanceof Error];
