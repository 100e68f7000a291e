//# title = "an interval that is never cleared ends with the program"
//# [expect]
//# result = '"over"'
setInterval(() => {}, 1);
await new Promise((resolve) => setTimeout(resolve, 5));
return "over";
