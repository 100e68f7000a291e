//# title = "half a surrogate pair inside JSON.rawJSON becomes the replacement character like any other"
//# differsFromNode = "Node keeps halves of surrogate pairs"
//# [expect]
//# result = '"\ufffd"'
return JSON.rawJSON('"\ud800"');
