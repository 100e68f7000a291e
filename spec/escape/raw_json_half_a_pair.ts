//# title = "half a surrogate pair inside JSON.rawJSON becomes the replacement character like any other"
//# tools = "demo"
//# [expect]
//# result = '"\ufffd"'
return JSON.rawJSON('"\ud800"');
