//# title = "a main function of a program with return is not called twice"
//# [expect]
//# result = '1'
let calls = 0;
async function main() { calls++; }
await main();
return calls;
