//# title = "a typed array is a list of its numbers, an ArrayBuffer of its bytes"
//# differsFromNode = "JSON.stringify writes objects"
//# [expect]
//# result = '[[1,2],[0,0],[0.5]]'
//# warnings = ["`0` is a Uint8Array, and was returned as a list of its numbers"]
return [new Uint8Array([1, 2]), new ArrayBuffer(2), new Float32Array([0.5])];
