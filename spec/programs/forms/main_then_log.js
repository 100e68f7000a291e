const main = async () => {
  const { total } = await tools.crm.customers.list({ tier: 'free' });
  return total;
};

main().then((n) => console.log(`free customers: ${n}`));
