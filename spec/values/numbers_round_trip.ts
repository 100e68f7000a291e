//# title = "every number comes back from a tool as the same number"
//# tools = "demo"
//# seed = 1
//# [expect]
//# calls = [["demo.echo", "applied"]]
//# result = '[]'
const numbers = [0.1, 1 / 3, 2 ** 53, 2 ** 53 + 2, 2 ** 63, 2 ** 64, -(2 ** 63), 1e21, 1.2345678901234567e-300, 5e-324, Number.MAX_VALUE, Number.EPSILON, Math.PI * 1e15];
for (let i = 1; i <= 2000; i++) numbers.push(Math.random() * 10 ** ((i % 600) - 300));
const back = (await tools.demo.echo({ numbers })).numbers;
return numbers.filter((n, i) => n !== back[i]);
