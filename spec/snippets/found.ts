//# title = "snippets are found beside tools, and described with their types"
//# tools = "demo"
//# [snippets.invoiceTotals]
//# code = 'return { total: 1 }'
//# description = "Adds up the invoices of a month."
//# inputSchema = '{"type":"object","properties":{"month":{"type":"string"}},"required":["month"]}'
//# [expect]
//# result = '["invoiceTotals","snippet",true,"snippet","Adds up the invoices of a month.",true]'
//# calls = [["codemode.search", "applied"], ["codemode.describe", "applied"]]
const { results } = await codemode.search("add up invoices of a month");
const described = await codemode.describe("invoiceTotals");
return [
  results[0].path, results[0].kind, results[0].signature.startsWith('codemode.run("invoiceTotals", input: { month: string })'),
  described.kind, described.description, described.types.includes('run(name: "invoiceTotals", input: { month: string })'),
];
