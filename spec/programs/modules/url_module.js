const { URL, URLSearchParams, fileURLToPath, pathToFileURL } = require('node:url');
const u = new URL('https://user:pw@example.com:8080/a/b?x=1#h');
const params = new URLSearchParams(u.search);
params.set('y', '2');
const { content } = await tools.files.read({ path: 'config/service.env' });
const db = new URL(/"(postgres:[^"]+)"/.exec(content)[1]);
return { origin: u.origin, port: u.port, params: `${params}`, protocol: db.protocol, path: fileURLToPath('file:///tmp/a%20b.txt'), file: pathToFileURL('/tmp/ü.txt').href, same: URL === globalThis.URL };
