const encoder = new TextEncoder();
const { content } = await tools.files.read({ path: 'text/article.txt' });
const bytes = encoder.encode(content);
const utf16 = content.length;
const points = [...content].length;
const cut = new TextDecoder('utf-8', { fatal: false }).decode(bytes.subarray(0, 201));
let fatal;
try { new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([0xff, 0xfe])); } catch (e) { fatal = e.name; }
return { bytes: bytes.length, utf16, points, cut: cut.slice(-6), fatal, emoji: ['👨‍👩‍👧'.length, [...'👨‍👩‍👧'].length, encoder.encode('👨‍👩‍👧').length], into: encoder.encodeInto('€uro', new Uint8Array(4)), well: ['\ud800x'.isWellFormed(), '\ud800x'.toWellFormed().charCodeAt(0).toString(16)] };
