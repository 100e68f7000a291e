// Finds a tool by what it should do, reads its types, and calls it: the way of a model that has thousands of tools.
// Run it with: isobox run --config examples/isobox.json examples/find_the_tool.ts

const { results } = await codemode.search("list the files in a folder", { limit: 3 });
const [first] = results;
console.log(first.signature);

let tool: any = tools;
for (const name of first.path.split(".")) tool = tool[name];
const listed = await tool({ path: "." });
return { tool: first.path, entries: listed.content.split("\n").length > 0 };
