//# title = "a snippet that is a function gets the input as its argument, also as a module"
//# [snippets]
//# arrow = 'async ({ name }: { name: string }) => `hello ${name}`'
//# declared = 'async function main(input = { name: "nobody" }) { return `hello ${input.name}` }'
//# exported = 'export default (input: { name: string }) => `hello ${input.name}`'
//# [expect]
//# result = '["hello ada","hello ada","hello ada"]'
//# calls = [["codemode.run", "applied"], ["codemode.run", "applied"], ["codemode.run", "applied"]]
const greetings = [];
for (const name of ["arrow", "declared", "exported"]) greetings.push(await codemode.run(name, { name: "ada" }));
return greetings;
