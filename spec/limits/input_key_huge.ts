//# title = "a key of almost a megabyte that a tool does not know is named in short, and compared with no other"
//# tools = "demo"
//# [expect]
//# result = '["INVALID_INPUT,INVALID_INPUT,INVALID_INPUT",true]'
//# calls = [["weather.current", "failed"], ["weather.current", "failed"], ["weather.current", "failed"]]
const errors = [];
for (const length of [900_000, 900_001, 900_002]) {
  errors.push(await tools.weather.current({ ["city".padEnd(length, "y")]: 1 }).catch((error) => error));
}
const isShort = (error) => error.message.length < 1_000 && !error.message.includes("did you mean");
return [errors.map((error) => error.code).join(), errors.every(isShort)];
