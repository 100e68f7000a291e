async function sha256Hex(text) {
  const data = new TextEncoder().encode(text);
  const digest = await crypto.subtle.digest('SHA-256', data);
  return Array.from(new Uint8Array(digest)).map(b => b.toString(16).padStart(2, '0')).join('');
}
const { content } = await tools.files.read({ path: 'data/old.txt' });
const [a, b] = await Promise.all([sha256Hex(content), sha256Hex('')]);
const sha1 = await crypto.subtle.digest({ name: 'SHA-1' }, new TextEncoder().encode('abc'));
return { a, b, sha1Length: sha1.byteLength, etag: `W/"${a.slice(0, 16)}"` };
