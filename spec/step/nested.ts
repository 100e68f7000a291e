//# title = "steps within steps, side by side"
//# tools = "demo"
//# [expect]
//# result = '[["a1","a2"],["b1","b2"]]'
//# calls = [["codemode.step", "applied"], ["codemode.step", "applied"], ["codemode.step", "applied"], ["codemode.step", "applied"], ["codemode.step", "applied"], ["codemode.step", "applied"]]
const both = (name) => codemode.step(name, async () => [
  await codemode.step("first", () => `${name}1`),
  await codemode.step("second", () => `${name}2`),
]);
return await Promise.all([both("a"), both("b")]);
