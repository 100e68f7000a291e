// Claude-style: step by step with logging
const customersPage = await tools.crm.customers.list({ limit: 100 });
console.log(`Loaded ${customersPage.total} customers`);

// Step 1: collect distinct owners, ignoring unassigned accounts
const ownerIds = [...new Set(customersPage.items.map((c) => c.ownerId).filter(Boolean))];
console.log("Owners:", ownerIds.join(", "));

// Step 2: resolve owner names in parallel
const owners = await Promise.all(ownerIds.map((id) => tools.hr.employees.get({ id })));

// Step 3: build the report
const report = owners
  .map((owner) => {
    const accounts = customersPage.items.filter((c) => c.ownerId === owner.id);
    const mrr = accounts.reduce((sum, c) => sum + c.mrr, 0);
    return { owner: owner.name, accounts: accounts.length, mrr };
  })
  .toSorted((a, b) => b.mrr - a.mrr);

const unassigned = customersPage.items.filter((c) => !c.ownerId).map((c) => c.id);
return { report, unassigned };
