//# title = "an error is logged with its stack in the author's lines"
//# [expect]
//# logs = [["error", "TypeError: bad\n    at <anonymous> (main.ts:5:19)"], ["log", "{\"error\":[TypeError: bad]}"]]
//# result = 'null'
const error = new TypeError("bad");
console.error(error);
console.log({ error });
return null;
