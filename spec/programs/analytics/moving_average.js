const { rows } = await tools.db.query({ sql: 'SELECT month, signups, churned FROM growth ORDER BY month' });
const series = rows.map(([month, signups]) => ({ month, signups }));
const movingAverage = (list, size) => list.map((_, i) => {
  if (i < size - 1) return null;
  const window = list.slice(i - size + 1, i + 1);
  return window.reduce((s, x) => s + x, 0) / size;
});
const ema = (list, alpha) => list.reduce((out, x, i) => [...out, i ? alpha * x + (1 - alpha) * out[i - 1] : x], []);
const values = series.map((s) => s.signups);
return series.map((s, i) => ({ ...s, ma3: movingAverage(values, 3)[i]?.toFixed(2) ?? '-', ema: Math.round(ema(values, 0.5)[i] * 100) / 100 }));
