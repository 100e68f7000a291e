const customer = await tools.crm.customers.get({ id: 'cus_777' });
return customer.name;
