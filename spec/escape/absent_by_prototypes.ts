//# title = "the constructor of shared memory cannot be reached through buffers and views"
//# [expect]
//# result = '[["ArrayBuffer"],"undefined"]'
const buffers = [new Uint8Array(1).buffer, new DataView(new ArrayBuffer(8)).buffer, new ArrayBuffer(1).slice(0), structuredClone(new ArrayBuffer(2)), new Float64Array([1]).subarray(0).buffer];
return [[...new Set(buffers.map((buffer) => buffer.constructor.name))], typeof (ArrayBuffer as any).prototype.grow];
