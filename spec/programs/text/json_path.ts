function query(root: unknown, path: string): unknown[] {
  const steps = path.match(/\.\.|\.?[\w-]+|\[\*\]|\[\d+\]|\[\?[^\]]+\]/g) ?? [];
  let nodes: unknown[] = [root];
  for (const step of steps) {
    if (step === "..") {
      const all: unknown[] = [];
      const walk = (n: unknown) => { if (n && typeof n === "object") { all.push(n); Object.values(n).forEach(walk); } };
      nodes.forEach(walk);
      nodes = all;
    } else if (step === "[*]") nodes = nodes.flatMap((n) => (n && typeof n === "object" ? Object.values(n) : []));
    else if (/^\[\d+\]$/.test(step)) nodes = nodes.flatMap((n) => (Array.isArray(n) && n.length > +step.slice(1, -1) ? [n[+step.slice(1, -1)]] : []));
    else if (step.startsWith("[?")) {
      const [, key, op, value] = /^\[\?(\w+)(==|>|<)(.+)\]$/.exec(step)!;
      nodes = nodes.flatMap((n) => (Array.isArray(n) ? n : [])).filter((n: any) => (op === "==" ? String(n[key]) === value : op === ">" ? n[key] > +value : n[key] < +value));
    } else {
      const key = step.replace(/^\./, "");
      nodes = nodes.flatMap((n: any) => (n && typeof n === "object" && key in n ? [n[key]] : []));
    }
  }
  return nodes;
}
const { data } = await tools.billing.invoices.list({ limit: 4 });
return { skus: query(data, "[*].lines[*].sku"), first: query(data, "[0].lines[0].unit"), deep: query({ data }, "..qty").length, filtered: query(data, "[?status==void]").map((i: any) => i.id), big: query(data[3], "lines[?unit>50].sku") };
