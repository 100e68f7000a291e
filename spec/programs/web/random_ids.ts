const id = crypto.randomUUID();
const bytes = crypto.getRandomValues(new Uint8Array(16));
const nanoid = (size = 12) => Array.from(crypto.getRandomValues(new Uint8Array(size)), (b) => "0123456789abcdefghijklmnopqrstuvwxyz_-ABCDEFGHIJKLMNOPQRSTUVWXYZ"[b & 63]).join("");
const ids = new Set(Array.from({ length: 50 }, () => crypto.randomUUID()));
const note = await tools.crm.notes.create({ customerId: "cus_001", requestId: "fixed" });
return { uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id), bytes: bytes.length, nano: nanoid().length, unique: ids.size, random: Math.random() < 1, note };
