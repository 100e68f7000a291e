const { items } = await tools.crm.customers.list({ limit: 100 });
const names = items.map((c) => c.name);

const plain = [...names].sort();
const byLocale = [...names].sort((a, b) => a.localeCompare(b));
const german = [...names].sort(new Intl.Collator("de").compare);
const insensitive = ["zebra", "Äpfel", "apple", "Zoo", "äpfel"].sort((a, b) =>
  a.localeCompare(b, "de", { sensitivity: "base" }),
);

return { plain, byLocale, german, insensitive };
