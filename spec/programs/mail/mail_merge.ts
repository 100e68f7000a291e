const template = "Hi {{contact.firstName}},\n\n{{#if vip}}As a valued customer, {{/if}}{{ company | upper }} gets {{discount}}% off.{{missing}}";
type Scope = Record<string, unknown>;
const filters: Record<string, (v: string) => string> = { upper: (v) => v.toUpperCase(), title: (v) => v[0].toUpperCase() + v.slice(1) };

function lookup(path: string, scope: Scope): unknown {
  return path.split(".").reduce<any>((value, key) => value?.[key], scope);
}
function render(text: string, scope: Scope): string {
  return text
    .replace(/\{\{#if (\w+)\}\}([\s\S]*?)\{\{\/if\}\}/g, (_, name, inner) => (lookup(name, scope) ? inner : ""))
    .replace(/\{\{\s*([\w.]+)\s*(?:\|\s*(\w+)\s*)?\}\}/g, (_, path, filter) => {
      const value = String(lookup(path, scope) ?? "");
      return filter ? filters[filter](value) : value;
    });
}

const contacts = await tools.crm.contacts.list({});
const out: string[] = [];
for (const contact of contacts.slice(0, 3)) {
  const customer = await tools.crm.customers.get({ id: contact.customerId });
  out.push(render(template, { contact, company: customer.name, vip: customer.tags?.includes("vip"), discount: 10 }));
}
return out;
