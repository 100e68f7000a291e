const bases = ["USD", "EUR", "CHF"];
const tables = await Promise.all(
  bases.map((base) =>
    tools.billing.rates.get({ base }).then(
      (r) => [base, r.rates] as const,
      (e) => [base, { error: e.message, code: e.code }] as const,
    ),
  ),
);
const rates = Object.fromEntries(tables);
const cross = rates.USD.EUR * rates.EUR.USD;
return { rates, cross: cross.toFixed(4), arbitrage: cross > 1.0001 };
