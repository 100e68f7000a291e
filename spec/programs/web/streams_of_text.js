const { content } = await tools.files.read({ path: 'data/events.ndjson' });
const response = new Response(content);
const buffer = await response.arrayBuffer();
const text = new TextDecoder().decode(buffer);
const lines = text.split('\n').filter(Boolean).map((l) => JSON.parse(l));
const request = new Request('https://api.example.com/x?y=1', { method: 'PUT', headers: { Authorization: 'Bearer t' }, body: 'hello' });
return { bytes: buffer.byteLength, kinds: lines.map((l) => l.k), auth: request.headers.get('authorization'), url: request.url, body: await request.text(), used: request.bodyUsed, type: response.headers.get('content-type') };
