const toBase64 = (text) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
const fromBase64 = (b64) => new TextDecoder().decode(Uint8Array.from(atob(b64), (c) => c.charCodeAt(0)));
const { items } = await tools.crm.customers.list({ country: 'JP' });
const encoded = toBase64(items[0].name);
let failed;
try { btoa('日本'); } catch (e) { failed = e.name; }
return { encoded, back: fromBase64(encoded) === items[0].name, failed, basic: 'Basic ' + btoa('user:p@ss') };
