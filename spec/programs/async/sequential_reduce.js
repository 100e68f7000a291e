const steps = [
  async (ctx) => ({ ...ctx, customer: await tools.crm.customers.get({ id: ctx.id }) }),
  async (ctx) => ({ ...ctx, invoices: (await tools.billing.invoices.list({ customerId: ctx.id })).data }),
  (ctx) => ({ ...ctx, total: ctx.invoices.length }),
  async ({ customer, total }) => `${customer.name} has ${total} invoices`,
];
return await steps.reduce((promise, step) => promise.then(step), Promise.resolve({ id: 'cus_001' }));
