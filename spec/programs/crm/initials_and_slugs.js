const slugify = (text) =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/ł/g, 'l')
    .replace(/ø/g, 'o')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');

const initials = (name) => [...name.matchAll(/(?<=^|\s)\p{Lu}/gu)].map((m) => m[0]).join('');

const { items } = await tools.crm.customers.list({ limit: 20 });
return items.map(({ name }) => ({ name, slug: slugify(name), initials: initials(name) }));
