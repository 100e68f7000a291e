//# title = "a last statement that declares a variable with an awaited value gives the value"
//# [expect]
//# result = '[1,2]'
//# logs = [["log", "begun"]]
async function main(): Promise<number[]> { return [1, 2]; }
console.log("begun");
const found: number[] = await main();
