//# title = "the last expression of a program is its result"
//# tools = "demo"
//# [expect]
//# result = '"snow"'
//# calls = [["weather.current", "applied"]]
const city = 'Oslo';
tools.weather.current({ city }).then((weather) => weather.sky)
