//# title = "a snippet gets its input, has globals of its own, and gives its result"
//# [snippets]
//# total = 'globalThis.seen = true; return { sum: input.numbers.reduce((a, b) => a + b, 0), proto: Object.keys(input) }'
//# [expect]
//# result = '[{"sum":6,"proto":["numbers","__proto__"]},"undefined"]'
//# calls = [["codemode.run", "applied"]]
const total = await codemode.run("total", JSON.parse('{"numbers":[1,2,3],"__proto__":1}'));
return [total, typeof globalThis.seen];
