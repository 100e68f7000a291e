const visits = new WeakMap<object, number>();
const processed = new WeakSet<object>();
const customers = (await tools.crm.customers.list({ limit: 3 })).items;
const handle = (c: object) => {
  visits.set(c, (visits.get(c) ?? 0) + 1);
  if (processed.has(c)) return "skipped";
  processed.add(c);
  return "done";
};
const results = [...customers, customers[0]].map(handle);
const ref = new WeakRef(customers[1]);
return { results, visits: customers.map((c) => visits.get(c)), alive: ref.deref()?.id };
