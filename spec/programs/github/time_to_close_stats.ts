const closed = await tools.github.issues.list({ state: "closed" });
const hours = closed
  .map((i) => (Date.parse(i.closedAt) - Date.parse(i.createdAt)) / 36e5)
  .sort((a, b) => a - b);

const median = (xs: number[]) => {
  const mid = xs.length >> 1;
  return xs.length % 2 ? xs[mid] : (xs[mid - 1] + xs[mid]) / 2;
};
const percentile = (xs: number[], p: number) => xs[Math.min(xs.length - 1, Math.ceil((p / 100) * xs.length) - 1)];

return {
  n: hours.length,
  mean: +(hours.reduce((a, b) => a + b, 0) / hours.length).toFixed(2),
  median: +median(hours).toFixed(2),
  p95: percentile(hours, 95),
  humanized: hours.map((h) => (h < 1 ? `${Math.round(h * 60)} min` : `${Math.floor(h / 24)} d ${Math.round(h % 24)} h`)),
};
