// The timer fires after the result is there
setTimeout(() => console.log('cleanup done'), 20);
const { name } = await tools.crm.customers.get({ id: 'cus_010' });
console.log('returning');
return name;
