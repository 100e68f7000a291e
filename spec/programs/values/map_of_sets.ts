const employees = await tools.hr.employees.list({});
const zones = new Map<string, Set<string>>();
for (const e of employees) {
  const area = e.timeZone.split("/")[0];
  if (!zones.has(area)) zones.set(area, new Set());
  zones.get(area)!.add(e.department);
}
return zones;
