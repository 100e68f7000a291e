//# title = "a typed array is an object with indexes, an ArrayBuffer is empty"
//# [expect]
//# result = '[{"0":1,"1":2},{},{"0":0.5}]'
return [new Uint8Array([1, 2]), new ArrayBuffer(2), new Float32Array([0.5])];
