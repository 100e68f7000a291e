const { content } = await tools.files.read({ path: 'config/app.ini' });
const config = {};
let section = config;
for (const line of content.split('\n')) {
  const text = line.trim();
  if (!text || /^[;#]/.test(text)) continue;
  const header = text.match(/^\[(.+)\]$/);
  if (header) { section = config[header[1]] = {}; continue; }
  const [key, ...rest] = text.split('=');
  const raw = rest.join('=').trim();
  section[key.trim()] = raw === 'true' ? true : raw === 'false' ? false : raw !== '' && !isNaN(raw) ? Number(raw) : raw;
}
const bytes = (s) => { const [, n, u] = /^(\d+)(KB|MB|GB)$/.exec(s); return n * 1024 ** (['KB', 'MB', 'GB'].indexOf(u) + 1); };
config.limits.max_upload_bytes = bytes(config.limits.max_upload);
return config;
