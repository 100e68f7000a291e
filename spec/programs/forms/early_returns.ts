const { key, enabled, rollout } = await tools.flags.get({ key: "new-checkout" });
if (!enabled) return { key, decision: "off" };
if (rollout >= 100) return { key, decision: "on" };
const hash = [..."user-42"].reduce((h, c) => (Math.imul(h, 31) + c.charCodeAt(0)) | 0, 7);
const bucket = Math.abs(hash) % 100;
return bucket < rollout ? { key, decision: "on", bucket } : { key, decision: "control", bucket };
