function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [], field = "", quoted = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quoted) {
      if (c === '"' && text[i + 1] === '"') { field += '"'; i++; }
      else if (c === '"') quoted = false;
      else field += c;
    } else if (c === '"') quoted = true;
    else if (c === ",") { row.push(field); field = ""; }
    else if (c === "\n") { row.push(field); rows.push(row); row = []; field = ""; }
    else if (c !== "\r") field += c;
  }
  if (field || row.length) { row.push(field); rows.push(row); }
  return rows;
}

const { content } = await tools.files.read({ path: "reports/sales.csv" });
const [header, ...rows] = parseCsv(content);
const records = rows.map((r) => Object.fromEntries(header.map((h, i) => [h, /^[\d.,]+$/.test(r[i]) ? Number(r[i].replace(/,/g, "")) : r[i]])));
const total = records.reduce((s, r) => s + (r.revenue as number), 0);
return { records, total: Number(total.toFixed(2)) };
