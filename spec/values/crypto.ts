//# title = "crypto computes digests and draws from the recorded seed"
//# [expect]
//# result = '["ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",true,true,16]'
const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode("abc"));
const uuid = crypto.randomUUID();
return [
  Buffer.from(digest).toString("hex"),
  /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(uuid),
  uuid !== crypto.randomUUID(),
  crypto.getRandomValues(new Uint8Array(16)).length,
];
