//# title = "a buffer that shrinks under a function that uses it does not crash"
//# differsFromNode = "the engine gives a TypeError where a DataView is out of bounds"
//# [expect]
//# result = '["object","undefined","RangeError","object","object","RangeError","TypeError","number","string","object"]'
const buffer = new (ArrayBuffer as any)(64, { maxByteLength: 128 });
const view = new Uint8Array(buffer);
const seen: unknown[] = [];
for (const use of [
  () => view.fill({ valueOf() { buffer.resize(4); return 1; } } as any, 0, 64),
  () => view.set([1, 2, { valueOf() { buffer.resize(2); return 1; } } as any, 4], 0),
  () => view.with(1, { valueOf() { buffer.resize(1); return 1; } } as any),
  () => view.copyWithin(0, { valueOf() { buffer.resize(8); return 2; } } as any),
  () => view.sort(() => { buffer.resize(1); return 1; }),
  () => view.subarray({ valueOf() { buffer.resize(0); return 1; } } as any),
  () => new DataView(buffer).setFloat64(0, { valueOf() { buffer.resize(0); return 1; } } as any),
  () => view.lastIndexOf(1, { valueOf() { buffer.resize(0); return 63; } } as any),
  () => view.join({ toString() { buffer.resize(0); return ","; } } as any),
  () => view.slice(0, { valueOf() { buffer.resize(3); return 64; } } as any),
]) {
  buffer.resize(64);
  try { seen.push(typeof use()); } catch (error) { seen.push(error.name); }
}
return seen;
