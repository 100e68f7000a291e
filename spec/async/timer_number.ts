//# title = "setTimeout gives a number that is not 0"
//# differsFromNode = "Node gives an object"
//# [expect]
//# result = '["number",true,true]'
const a = setTimeout(() => {}, 0), b = setTimeout(() => {}, 0);
return [typeof a, Number(a) > 0, a !== b];
