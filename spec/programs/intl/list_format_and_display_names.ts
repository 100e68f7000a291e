const employees = await tools.hr.employees.list({ department: "Sales" });
const list = new Intl.ListFormat("en", { style: "long", type: "conjunction" });
const regions = new Intl.DisplayNames(["en"], { type: "region" });
const { items } = await tools.crm.customers.list({ limit: 12 });
const countries = [...new Set(items.map((c) => c.country))].map((c) => regions.of(c)!).sort();
return {
  team: list.format(employees.map((e) => e.name)),
  either: new Intl.ListFormat("de", { type: "disjunction" }).format(["Tee", "Kaffee", "Wasser"]),
  countries,
  languages: ["fr", "ja", "pt-BR"].map((l) => new Intl.DisplayNames("en", { type: "language" }).of(l)),
  currency: new Intl.DisplayNames("en", { type: "currency" }).of("JPY"),
};
