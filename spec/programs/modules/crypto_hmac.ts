import crypto from "node:crypto";

const secret = "whsec_test";
const payload = JSON.stringify(await tools.billing.payments.list({ method: "wire" }));
const signature = crypto.createHmac("sha256", secret).update(payload).digest("hex");
const expected = Buffer.from(signature, "hex");
const given = Buffer.from(crypto.createHmac("sha256", secret).update(payload).digest());
return { signature, valid: crypto.timingSafeEqual(expected, given), id: crypto.randomUUID().length, bytes: crypto.randomBytes(8).length, sha512: crypto.createHash("sha512").update("").digest("base64").slice(0, 16) };
