interface Column<T> { title: string; value: (row: T) => string | number; align?: "left" | "right" }
function table<T>(rows: T[], columns: Column<T>[]): string {
  const cells = rows.map((r) => columns.map((c) => String(c.value(r))));
  const widths = columns.map((c, i) => Math.max(c.title.length, ...cells.map((row) => row[i].length)));
  const line = (values: string[]) => "│ " + values.map((v, i) => (columns[i].align === "right" ? v.padStart(widths[i]) : v.padEnd(widths[i]))).join(" │ ") + " │";
  const rule = (l: string, m: string, r: string) => l + widths.map((w) => "─".repeat(w + 2)).join(m) + r;
  return [rule("┌", "┬", "┐"), line(columns.map((c) => c.title)), rule("├", "┼", "┤"), ...cells.map(line), rule("└", "┴", "┘")].join("\n");
}
const products = await tools.inventory.products.list({ category: "peripherals" });
const text = table(products, [
  { title: "SKU", value: (p: any) => p.sku },
  { title: "Name", value: (p: any) => p.name },
  { title: "Price", value: (p: any) => p.price.toFixed(2), align: "right" },
]);
console.log(text);
return text;
