const rechnung = await tools.billing.invoices.get({ id: "INV-2025-0001" });
const kunde = await tools.crm.customers.get({ id: rechnung.customerId });
const euro = new Intl.NumberFormat("de-DE", { style: "currency", currency: rechnung.currency });
const datum = (iso: string) => new Date(iso).toLocaleDateString("de-DE", { day: "2-digit", month: "2-digit", year: "numeric", timeZone: "UTC" });
const netto = rechnung.lines.reduce((s: number, l: any) => s + l.qty * l.unit, 0);
const steuer = netto * 0.19;
return [
  `Rechnung ${rechnung.id} an ${kunde.name}`,
  `Datum: ${datum(rechnung.issued)}, fällig: ${datum(rechnung.due)}`,
  ...rechnung.lines.map((l: any) => `${l.qty} × ${l.sku} à ${euro.format(l.unit)} = ${euro.format(l.qty * l.unit)}`),
  `Summe: ${euro.format(netto)} zzgl. 19 % USt. ${euro.format(steuer)} = ${euro.format(netto + steuer)}`,
].join("\n");
