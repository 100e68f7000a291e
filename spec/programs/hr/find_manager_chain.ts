const cache = new Map<string, any>();
async function employee(id: string) {
  if (!cache.has(id)) cache.set(id, await tools.hr.employees.get({ id }));
  return cache.get(id);
}

async function* chain(id: string): AsyncGenerator<string> {
  let current: string | null = id;
  while (current !== null) {
    const e: any = await employee(current);
    yield e.name;
    current = e.managerId;
  }
}

const chains: Record<string, string[]> = {};
for (const id of ["emp_05", "emp_09", "emp_07"]) {
  chains[id] = await Array.fromAsync(chain(id));
}
return { chains, lookups: cache.size };
