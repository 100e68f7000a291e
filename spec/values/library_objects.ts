//# title = "objects, maps and sets"
//# [expect]
//# result = '[{"odd": [1, 3], "even": [2]}, [["b", 1], ["a", 2]], {"x": 1}, [1, 2], true, [2], [false, true], 2, {"a": [1]}, false, [4, 6], "{\n \"a\": [\n  1,\n  {\n   \"b\": 2\n  }\n ]\n}", {"a": 1}]'
const groups = Object.groupBy([1, 2, 3], (n) => (n % 2 ? "odd" : "even"));
return [groups, Object.entries({ b: 1, a: 2 }), Object.fromEntries(new Map([["x", 1]])), [...new Set([1, 1, 2])], Object.hasOwn({ a: 1 }, "a"), [...new Set([1, 2]).intersection(new Set([2, 3]))], [...Map.groupBy([1, 2], (n) => n > 1).keys()], Reflect.ownKeys({ [Symbol.iterator]: 1, a: 1 }).length, structuredClone({ a: [1] }), Object.is(-0, 0), [1, 2, 3].values().filter((n) => n > 1).map((n) => n * 2).toArray(), JSON.stringify({ a: [1, { b: 2 }] }, null, 1), JSON.parse('{"a":[1]}', (k, v) => (k === "a" ? v.length : v))];
