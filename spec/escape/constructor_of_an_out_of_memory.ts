//# title = "the errors of the engine have the constructors of the program"
//# limits = { memory = "4MiB" }
//# [expect]
//# result = '[true,true,"code cannot be made from text here","code cannot be made from text here"]'
const thrown = (f: () => unknown): any => { try { f(); } catch (error) { return error; } };
const stack = thrown(function deep(): any { return deep() + 1; });
const memory = thrown(() => new Uint8Array(8_000_000));
const message = (value: any) => { try { return value.constructor.constructor("return this")(); } catch (error) { return error.message; } };
return [stack instanceof RangeError, memory instanceof Error, message(stack), message(memory)];
