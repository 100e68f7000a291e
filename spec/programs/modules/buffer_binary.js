const header = Buffer.alloc(8);
header.writeUInt32BE(0xdeadbeef, 0);
header.writeUInt16LE(513, 4);
header.writeUInt8(7, 6);
const { content } = await tools.files.read({ path: 'data/old.txt' });
const body = Buffer.from(content);
const all = Buffer.concat([header, body.subarray(0, 9)]);
return {
  hex: all.toString('hex'),
  value: all.readUInt32BE(0).toString(16),
  text: all.toString('utf8', 8),
  latin: Buffer.from('é', 'latin1').length,
  equal: Buffer.from('abc').equals(Buffer.from([97, 98, 99])),
  compare: Buffer.compare(Buffer.from('a'), Buffer.from('b')),
  index: body.indexOf('brown'),
  base64: Buffer.from('c3VyZS4=', 'base64').toString(),
  isBuffer: Buffer.isBuffer(all) && all instanceof Uint8Array,
  json: Buffer.from('hi').toJSON(),
};
