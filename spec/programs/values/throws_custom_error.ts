class BudgetExceededError extends Error {
  readonly name = "BudgetExceededError";
  constructor(readonly limit: number, readonly actual: number) {
    super(`budget of ${limit} exceeded by ${(actual - limit).toFixed(2)}`);
  }
}
const { items } = await tools.crm.customers.list({ tier: "enterprise" });
const total = items.reduce((s, c) => s + c.mrr, 0);
if (total > 10_000) throw new BudgetExceededError(10_000, total);
return total;
