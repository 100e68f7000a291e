// Finds the best customer in the report of nightly_report.ts, and writes a letter, which needs approval.
// Run it with: isobox run --config examples/isobox.json examples/thank_best_customer.ts

const { content } = await tools.files.read_text_file({ path: "reports/orders.md" });
const [, name] = content.match(/^- (\w+)/m);
await tools.files.write_file({ path: `letter-thanks-${name.toLowerCase()}.txt`, content: `Thank you, ${name}!\n` });
return { thanked: name };
