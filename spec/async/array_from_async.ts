//# title = "Array.fromAsync collects"
//# [expect]
//# result = '[1,2]'
return await Array.fromAsync((async function* () { yield 1; yield 2; })());
