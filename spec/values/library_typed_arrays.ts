//# title = "typed arrays and buffers"
//# [expect]
//# result = '[[63,192,0,0,0,0,0,0],[255,0],[2,4],2,[1,2,3],1,2,[2,3]]'
const b = new ArrayBuffer(8);
new DataView(b).setFloat32(0, 1.5);
return [[...new Uint8Array(b)], [...new Uint8ClampedArray([300, -5])], [...Int16Array.from([1, 2], (n) => n * 2)], new Float64Array(2).length, [...new Uint8Array([3, 1, 2]).toSorted()], new BigInt64Array([1n]).length, b.slice(0, 2).byteLength, [...new Uint8Array([1, 2, 3]).subarray(1)]];
