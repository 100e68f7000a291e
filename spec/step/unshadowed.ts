//# title = "a program that changes prototypes does not change what a step is"
//# tools = "demo"
//# [expect]
//# result = '7'
//# calls = [["codemode.step", "applied"]]
const functions = Object.getPrototypeOf(() => {});
functions.call = functions.apply = () => "stolen";
Array.prototype[Symbol.iterator] = function* () { yield "stolen"; };
Object.defineProperty(Array.prototype, "0", { set() { throw new Error("stolen"); }, configurable: true });
return await codemode.step("seven", () => 7);
