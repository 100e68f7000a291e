//# title = "a call may need the answer of the one before"
//# tools = "demo"
//# [expect]
//# calls = [["cities.list", "applied"], ["weather.current", "applied"], ["weather.current", "applied"]]
//# result = '["Oslo 4","Bergen 7"]'
const cities = await tools.cities.list({ country: "Norway" });
const all = await Promise.all(cities.map((city: string) => tools.weather.current({ city })));
return all.map((one) => `${one.city} ${one.celsius}`);
