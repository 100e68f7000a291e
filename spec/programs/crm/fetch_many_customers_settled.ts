const ids = ["cus_001", "cus_404", "cus_007", "cus_999"];
const results = await Promise.allSettled(ids.map((id) => tools.crm.customers.get({ id })));

const found = results
  .filter((r): r is PromiseFulfilledResult<any> => r.status === "fulfilled")
  .map((r) => r.value.name);
const errors = results
  .map((r, i) => (r.status === "rejected" ? { id: ids[i], error: r.reason.message } : null))
  .filter((e) => e !== null);

console.warn(`${errors.length} of ${ids.length} lookups failed`);
return { found, errors };
