// Reads a folder of orders, adds them up, and writes a report. The model reads four numbers instead of all the rows.
// Run it with: isobox run --config examples/isobox.json examples/nightly_report.ts

const listed = await tools.files.list_directory({ path: "orders" });
const names = listed.content.split("\n").map((line) => line.replace("[FILE] ", "")).filter((name) => name.endsWith(".csv"));

const rows = (
  await Promise.all(
    names.map(async (name) => {
      const { content } = await tools.files.read_text_file({ path: `orders/${name}` });
      return content.trim().split("\n").slice(1).map((line) => line.split(","));
    }),
  )
).flat();

const byCustomer = new Map<string, number>();
for (const [customer, , amount] of rows) byCustomer.set(customer, (byCustomer.get(customer) ?? 0) + Number(amount));
const best = [...byCustomer].sort((a, b) => b[1] - a[1]);

await tools.files.create_directory({ path: "reports" });
await tools.files.write_file({
  path: "reports/orders.md",
  content: ["# Orders", "", ...best.map(([customer, sum]) => `- ${customer}: ${sum.toFixed(2)}`), ""].join("\n"),
});
return { days: names.length, orders: rows.length, best: best[0][0], total: best.reduce((sum, [, one]) => sum + one, 0).toFixed(2) };
