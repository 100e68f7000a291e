//# title = "structuredClone copies what JSON cannot"
//# [expect]
//# result = '[true,true,5,true,"/x/gi",true,true,true,[1,2],false]'
const original: any = { d: new Date(5), m: new Map([[1, new Set([2])]]), r: /x/gi, u: undefined, b: 1n, e: new RangeError("r"), t: new Uint8Array([1, 2]), list: [1, , 3] };
original.self = original;
const copy = structuredClone(original);
return [copy !== original, copy.self === copy, copy.d.getTime(), copy.m.get(1).has(2), String(copy.r), "u" in copy, copy.b === 1n, copy.e instanceof RangeError, [...copy.t], 1 in copy.list];
