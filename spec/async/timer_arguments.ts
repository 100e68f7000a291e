//# title = "further arguments are passed to the callback"
//# [expect]
//# result = '["a",2,null]'
return await new Promise((resolve) => setTimeout((...all: unknown[]) => resolve(all), 1, "a", 2, null));
