// Mini mustache: {{name}}, {{#list}}..{{/list}}, {{^empty}}..{{/empty}}, {{.}}
function render(template, view) {
  const get = (v, path) => path === '.' ? v['.'] ?? v : path.split('.').reduce((o, k) => (o == null ? undefined : o[k]), v);
  return template
    .replace(/{{([#^])([\w.]+)}}\n?([\s\S]*?){{\/\2}}\n?/g, (_, kind, name, body) => {
      const value = get(view, name);
      const empty = !value || (Array.isArray(value) && !value.length);
      if (kind === '^') return empty ? render(body, view) : '';
      if (empty) return '';
      return (Array.isArray(value) ? value : [value]).map((item) => render(body, typeof item === 'object' ? { ...view, ...item } : { ...view, '.': item })).join('');
    })
    .replace(/{{([\w.]+)}}/g, (_, name) => String(get(view, name) ?? '').replace(/[&<>]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' }[c])));
}
const invoice = await tools.billing.invoices.get({ id: 'INV-2025-0001' });
const customer = await tools.crm.customers.get({ id: 'cus_006' });
return render(`# {{id}} for {{customer.name}}
{{#lines}}
- {{qty}} x {{sku}}
{{/lines}}
{{#tags}}[{{.}}]{{/tags}}{{^discounts}}no discounts{{/discounts}}`, { ...invoice, customer, tags: ['a', '<b>'] });
