const LIMIT = 2;
const run = async () => {
  const { items } = await tools.crm.customers.list({ limit: LIMIT });
  return items.map((i) => i.id);
};
