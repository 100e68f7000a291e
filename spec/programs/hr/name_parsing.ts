const employees = await tools.hr.employees.list({});
const titleCase = (s: string) => s.replace(/(^|[\s'’-])(\p{Ll})/gu, (_, sep: string, ch: string) => sep + ch.toUpperCase());

const parsed = employees.map(({ name }) => {
  const [first, ...rest] = titleCase(name).split(/\s+/);
  const last = rest.join(" ");
  return { first, last, email: `${first[0]}.${last}`.toLowerCase().normalize("NFD").replace(/[^a-z.]/g, "") + "@isobox.example" };
});
parsed.sort((a, b) => a.last.localeCompare(b.last) || a.first.localeCompare(b.first));
return parsed.map((p) => `${p.last}, ${p.first} <${p.email}>`);
