interface Query { text: string; values: unknown[] }
function sql(strings: TemplateStringsArray, ...params: unknown[]): Query {
  const values: unknown[] = [];
  const text = strings.reduce((out, part, i) => {
    if (i === 0) return part;
    const p = params[i - 1];
    if (p && typeof p === "object" && "text" in p) {
      const nested = p as Query;
      const inner = nested.text.replace(/\$(\d+)/g, (_, n) => `$${values.length + Number(n)}`);
      values.push(...nested.values);
      return out + inner + part;
    }
    values.push(p);
    return `${out}$${values.length}${part}`;
  }, "");
  return { text: text.replace(/\s+/g, " ").trim(), values };
}
const where = (country: string) => sql`country = ${country} AND tier <> ${"free"}`;
const { items } = await tools.crm.customers.list({ limit: 2 });
return { q: sql`SELECT * FROM customers
  WHERE ${where(items[0].country)} LIMIT ${10}`, raw: String.raw`C:\new\table${1}`, cooked: ((s: TemplateStringsArray) => [s[0], s.raw[0]])`\u0041\n` };
