type Stage = "won" | "lost" | "negotiation" | "proposal" | "qualified";
interface Deal { stage: Stage; amount: number; currency: string; probability: number }

const deals: Deal[] = await tools.crm.deals.list({});
const { rates } = await tools.billing.rates.get({ base: "USD" });

const toUsd = (amount: number, currency: string): number => amount / rates[currency];

const pipeline = deals.reduce<Record<string, { count: number; usd: number; weightedUsd: number }>>((acc, d) => {
  const entry = (acc[d.stage] ||= { count: 0, usd: 0, weightedUsd: 0 });
  const usd = toUsd(d.amount, d.currency);
  entry.count++;
  entry.usd += usd;
  entry.weightedUsd += usd * d.probability;
  return acc;
}, {});

for (const entry of Object.values(pipeline)) {
  entry.usd = Number(entry.usd.toFixed(2));
  entry.weightedUsd = Number(entry.weightedUsd.toFixed(2));
}
return pipeline;
