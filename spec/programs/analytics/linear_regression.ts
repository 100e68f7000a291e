const { rows } = await tools.db.query({ sql: "SELECT month, signups, churned FROM growth ORDER BY month" });
const xs = rows.map((_, i) => i);
const ys = rows.map((r) => r[1] as number);

function regress(xs: number[], ys: number[]) {
  const n = xs.length;
  const sum = (a: number[]) => a.reduce((s, v) => s + v, 0);
  const mx = sum(xs) / n, my = sum(ys) / n;
  const slope = sum(xs.map((x, i) => (x - mx) * (ys[i] - my))) / sum(xs.map((x) => (x - mx) ** 2));
  const intercept = my - slope * mx;
  const ssRes = sum(ys.map((y, i) => (y - (slope * xs[i] + intercept)) ** 2));
  const ssTot = sum(ys.map((y) => (y - my) ** 2));
  return { slope, intercept, r2: 1 - ssRes / ssTot, predict: (x: number) => slope * x + intercept };
}
const { predict, ...model } = regress(xs, ys);
const rounded = Object.fromEntries(Object.entries(model).map(([k, v]) => [k, Math.round(v * 1e6) / 1e6]));
return { ...rounded, next: [5, 6].map((x) => predict(x).toFixed(1)) };
