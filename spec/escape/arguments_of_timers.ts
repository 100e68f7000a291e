//# title = "a timer's function gets the arguments that it was given and nothing else"
//# [expect]
//# result = '[[],[1,"two"]]'
const none = await new Promise((resolve) => setTimeout((...all: unknown[]) => resolve(all), 1));
const some = await new Promise((resolve) => setTimeout((...all: unknown[]) => resolve(all), 1, 1, "two"));
return [none, some];
