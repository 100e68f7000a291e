// Encodes a record into a binary header and reads it back
interface Header { magic: number; version: number; flags: number; length: number; ratio: number; stamp: bigint }
const write = (h: Header): ArrayBuffer => {
  const view = new DataView(new ArrayBuffer(24));
  view.setUint32(0, h.magic);
  view.setUint8(4, h.version);
  view.setUint8(5, h.flags);
  view.setUint16(6, h.length, true);
  view.setFloat64(8, h.ratio, true);
  view.setBigUint64(16, h.stamp);
  return view.buffer;
};
const read = (buffer: ArrayBuffer): Header => {
  const v = new DataView(buffer);
  return { magic: v.getUint32(0), version: v.getUint8(4), flags: v.getUint8(5), length: v.getUint16(6, true), ratio: v.getFloat64(8, true), stamp: v.getBigUint64(16) };
};
const { items } = await tools.analytics.events.list({ limit: 1 });
const buffer = write({ magic: 0xcafebabe, version: 2, flags: 0b101, length: 513, ratio: 1 / 3, stamp: BigInt(items[0].ts) });
const back = read(buffer);
const hex = Array.from(new Uint8Array(buffer), (b) => b.toString(16).padStart(2, "0")).join("");
return { hex, back, shifts: [1 << 31, -1 >>> 0, -9 >> 1, ~5, 5 & 3, 5 | 3, 5 ^ 3], popcount: [...(0b10110111).toString(2)].filter((b) => b === "1").length, endian: new Uint8Array(new Uint16Array([1]).buffer)[0] };
