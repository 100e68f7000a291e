// Types first, helpers, then the entry point at the end.
type Money = { amount: number; currency: string };
const add = (a: Money, b: Money): Money => {
  if (a.currency !== b.currency) throw new TypeError("currencies differ");
  return { ...a, amount: a.amount + b.amount };
};
export default async function main() {
  const payments: Money[] = (await tools.billing.payments.list({ method: "card" })).filter((p: Money) => p.currency === "GBP");
  return payments.reduce(add).amount;
}
export type { Money };
