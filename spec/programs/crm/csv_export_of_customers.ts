// Exports customers as CSV with proper quoting
const { items: customers } = await tools.crm.customers.list({ limit: 100 });

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = Array.isArray(value) ? value.join(";") : String(value);
  return /[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

const header = Object.keys(customers[0]);
const lines = [header.join(",")];
for (const customer of customers) {
  lines.push(header.map((key) => csvCell(customer[key as keyof typeof customer])).join(","));
}
return lines.join("\n");
