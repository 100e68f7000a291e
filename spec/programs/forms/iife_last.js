// Immediately invoked, the usual script style
(async () => {
  try {
    const { items } = await tools.crm.customers.list({ country: 'US' });
    return items.map((c) => c.name);
  } catch (err) {
    console.error(err);
    return [];
  }
})();
