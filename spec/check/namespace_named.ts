//# title = "a namespace that is named and not called is not found"
//# tools = "demo"
//# [expect]
//# result = '["function",2]'
//# calls = [["cities.list", "applied"]]
const { cities } = tools;
const found = await cities.list({ country: 'Norway' });
return [typeof cities, Math.min(2, found.length)];
