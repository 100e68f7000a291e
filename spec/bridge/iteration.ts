//# title = "tools cannot be iterated, spread or destructured as an array"
//# tools = "demo"
//# [expect]
//# result = '["TypeError","TypeError","TypeError","TypeError"]'
const name = async (f: () => unknown) => { try { await f(); return "none"; } catch (error) { return error.name; } };
return [
  await name(() => { for (const _ of tools as any); }),
  await name(() => [...(tools as any)]),
  await name(() => { const [a] = tools as any; }),
  await name(async () => { for await (const _ of tools as any); }),
];
