//# title = "tools itself called with two arguments is told so in words that make sense"
//# tools = "demo"
//# [expect]
//# result = '"tools takes one argument, an object; it was given 2"'
return await tools({}, {}).catch((error) => error.message);
