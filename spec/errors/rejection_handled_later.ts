//# title = "a rejection that is handled before the end is no line in the log"
//# [expect]
//# result = '"handled"'
const later = Promise.reject(new Error("handled"));
await null;
await null;
return await later.catch((error) => error.message);
