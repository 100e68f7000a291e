const { columns, rows } = await tools.db.query({ sql: "SELECT month, signups, churned FROM growth ORDER BY month" });
const records = rows.map((row) => Object.fromEntries(columns.map((c, i) => [c, row[i]])));

const withGrowth = records.map((r, i) => {
  const previous = records[i - 1];
  return {
    ...r,
    net: r.signups - r.churned,
    change: previous ? Number((((r.signups - previous.signups) / previous.signups) * 100).toFixed(1)) : null,
  };
});
const cagr = ((rows.at(-1)[1] / rows[0][1]) ** (1 / (rows.length - 1)) - 1) * 100;
// Spark line
const ticks = "▁▂▃▄▅▆▇█";
const values = records.map((r) => r.signups);
const [min, max] = [Math.min(...values), Math.max(...values)];
const spark = values.map((v) => ticks[Math.round(((v - min) / (max - min)) * (ticks.length - 1))]).join("");
return { withGrowth, cagr: cagr.toFixed(2), spark };
