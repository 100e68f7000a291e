//# title = "setTimeout gives an object whose number is not 0, as in Node"
//# [expect]
//# result = '["object",true,true,true]'
const a = setTimeout(() => {}, 0), b = setTimeout(() => {}, 0);
return [typeof a, Number(a) > 0, a !== b, a.unref() === a];
