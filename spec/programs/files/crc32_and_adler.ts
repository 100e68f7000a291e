const table = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});
const crc32 = (bytes: Uint8Array) => {
  let crc = ~0;
  for (const byte of bytes) crc = table[(crc ^ byte) & 0xff] ^ (crc >>> 8);
  return (~crc >>> 0).toString(16).padStart(8, "0");
};
const adler32 = (bytes: Uint8Array) => {
  let a = 1, b = 0;
  for (const byte of bytes) { a = (a + byte) % 65521; b = (b + a) % 65521; }
  return ((b << 16) | a) >>> 0;
};
const { content } = await tools.files.read({ path: "text/article.txt" });
const bytes = new TextEncoder().encode(content);
return { length: bytes.length, crc: crc32(bytes), adler: adler32(bytes), check: crc32(new TextEncoder().encode("123456789")) };
