return tools.crm.customers.list({ limit: 3 })
  .then(function (page) {
    return Promise.all(page.items.map(function (c) {
      return tools.crm.contacts.list({ customerId: c.id }).then(function (contacts) {
        return { customer: c.name, contacts: contacts.length };
      });
    }));
  })
  .then(function (rows) {
    return rows.filter(function (r) { return r.contacts > 0; });
  })
  .catch(function (err) {
    return { error: err.message };
  })
  .finally(function () {
    console.log('done');
  });
