//# title = "a function of queueMicrotask has no receiver"
//# [expect]
//# result = '"undefined"'
return await new Promise((resolve) => queueMicrotask(function (this: unknown) { resolve(typeof this); }));
