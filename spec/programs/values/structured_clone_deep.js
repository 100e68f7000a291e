const original = { date: new Date(0), map: new Map([['k', { deep: [1, 2] }]]), re: /a+/gi, bytes: new Uint8Array([1, 2]) };
original.self = original;
const copy = structuredClone(original);
copy.map.get('k').deep.push(3);
copy.date.setFullYear(2000);
let error;
try { structuredClone({ fn() {} }); } catch (e) { error = e.name; }
return {
  unchanged: original.map.get('k').deep,
  changed: copy.map.get('k').deep,
  years: [original.date.getUTCFullYear(), copy.date.getUTCFullYear()],
  cyclic: copy.self === copy,
  regex: String(copy.re),
  bytes: copy.bytes instanceof Uint8Array,
  error,
};
