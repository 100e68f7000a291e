//# title = "a misspelt key of an input is named with the right one"
//# tools = "demo"
//# [expect]
//# result = '["INVALID_INPUT",true]'
//# calls = [["weather.current", "failed"]]
const error = await tools.weather.current({ citty: "Oslo" }).catch((error) => error);
return [error.code, error.message.includes("did you mean `city`?")];
