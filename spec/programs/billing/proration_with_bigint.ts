// Money in integer cents as BigInt to avoid floating point errors
const parseCents = (s: string): bigint => {
  const [whole, frac = ""] = s.split(".");
  const sign = whole.startsWith("-") ? -1n : 1n;
  return sign * (BigInt(whole.replace("-", "")) * 100n + BigInt((frac + "00").slice(0, 2)));
};
const show = (c: bigint) => `${c < 0n ? "-" : ""}${(c < 0n ? -c : c) / 100n}.${String((c < 0n ? -c : c) % 100n).padStart(2, "0")}`;

function prorate(total: bigint, weights: bigint[]): bigint[] {
  const sum = weights.reduce((a, b) => a + b, 0n);
  const shares = weights.map((w) => (total * w) / sum);
  let rest = total - shares.reduce((a, b) => a + b, 0n);
  for (let i = 0; rest > 0n; i++, rest--) shares[i] += 1n;
  return shares;
}

const { rows } = await tools.db.query({ sql: "SELECT region, SUM(revenue) FROM sales GROUP BY region" });
const amounts = rows.map(([, sum]) => parseCents(sum));
const shares = prorate(100_001n, amounts);
return { shares, shown: shares.map(show), total: shares.reduce((a, b) => a + b), negative: show(parseCents("-3.5")) };
