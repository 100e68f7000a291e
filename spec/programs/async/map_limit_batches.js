const chunk = (list, size) => list.length ? [list.slice(0, size), ...chunk(list.slice(size), size)] : [];
const ids = Array.from({ length: 9 }, (_, i) => `emp_0${i + 1}`);
const names = [];
for (const group of chunk(ids, 4)) {
  const people = await Promise.all(group.map((id) => tools.hr.employees.get({ id })));
  names.push(...people.map((p) => p.name.split(' ')[0]));
  console.log(`batch of ${group.length} done`);
}
return names;
