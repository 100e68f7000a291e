const { content } = await tools.files.read({ path: "data/events.ndjson" });
type Entry = { t: number; k: string; amount?: number };
const entries = content.split("\n").filter(Boolean).map((line) => JSON.parse(line) as Entry);
let balance = 0;
const ledger = entries.map(({ t, k, amount = 0 }) => {
  balance += { open: amount, deposit: amount, withdraw: -amount }[k] ?? 0;
  return { t, k, balance };
});
return { ledger, closed: entries.at(-1)?.k === "close" };
