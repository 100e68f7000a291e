//# title = "the functions of the catalogue are not unknown tools"
//# tools = "demo"
//# [expect]
//# result = '[true,"namespace",true]'
//# calls = [["search", "applied"], ["describe", "applied"], ["codemode.search", "applied"]]
const found = await tools.search('weather');
const one = await tools.describe('weather');
return [found.total > 0, one.kind, (await tools.codemode.search('mail')).total > 0];
