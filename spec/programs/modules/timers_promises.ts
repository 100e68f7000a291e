import { setTimeout as delay } from "node:timers/promises";

const order: string[] = [];
const slow = delay(20, "slow").then((v) => order.push(v));
const fast = delay(5, "fast").then((v) => order.push(v));
await Promise.all([slow, fast]);
setImmediate(() => order.push("immediate"));
await delay(5);
const flag = await tools.flags.get({ key: "dark-mode" });
return { order, rollout: flag.rollout };
