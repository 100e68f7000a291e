//# title = "a promise as last expression is awaited"
//# [expect]
//# result = '"later"'
const later = Promise.resolve("later");
later
