const groupBy = (list, ...keys) => {
  if (!keys.length) return list.map((e) => e.name);
  const [key, ...rest] = keys;
  return Object.fromEntries(
    Object.entries(Object.groupBy(list, (item) => (typeof key === 'function' ? key(item) : item[key])))
      .map(([k, v]) => [k, groupBy(v, ...rest)])
  );
};
const all = await tools.hr.employees.list({});
return groupBy(all, 'department', (e) => (e.salary > 120000 ? 'high' : 'low'), (e) => e.timeZone.split('/')[0]);
