//# title = "a callback of a timer has no this"
//# differsFromNode = "Node passes the timer"
//# [expect]
//# result = '"undefined"'
return await new Promise((resolve) => setTimeout(function (this: unknown) { resolve(typeof this); }, 0));
