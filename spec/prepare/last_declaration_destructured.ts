//# title = "a last statement that takes variables out of an awaited value gives them"
//# [expect]
//# result = '{"rows":[1,2],"pages":1}'
//# logs = [["log", "begun"]]
async function main(): Promise<{ rows: number[]; total: number; count?: number }> { return { rows: [1, 2], total: 2 }; }
console.log("begun");
const { rows, count: pages = 1 } = await main();
