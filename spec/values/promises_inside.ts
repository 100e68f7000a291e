//# title = "promises inside of a result are not awaited"
//# [expect]
//# result = '[{}]'
//# warnings = ["`0` is a Promise that was not awaited, and was returned as {}; await it, or a list of promises with `await Promise.all(…)`"]
return [Promise.resolve(1)];
