//# title = "a regular expression inside of a result is its text, a promise an empty object"
//# differsFromNode = "JSON.stringify loses the regular expression"
//# [expect]
//# result = '{"r":"/a/g","p":{}}'
//# warnings = ["`r` is a regular expression, and was returned as its text", "`p` is a Promise that was not awaited, and was returned as {}; await it, or a list of promises with `await Promise.all(…)`"]
return { r: /a/g, p: Promise.resolve(1) };
