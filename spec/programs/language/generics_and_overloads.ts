interface Repository<T extends { id: string | number }> {
  find(id: T["id"]): Promise<T | undefined>;
  all(): AsyncIterable<T>;
}
class ToolRepository<T extends { id: string | number }> implements Repository<T> {
  constructor(private readonly load: () => Promise<T[]>) {}
  async find(id: T["id"]): Promise<T | undefined>;
  async find(id: T["id"], fallback: T): Promise<T>;
  async find(id: T["id"], fallback?: T): Promise<T | undefined> {
    return (await this.load()).find((x) => x.id === id) ?? fallback;
  }
  async *all(): AsyncIterable<T> { yield* await this.load(); }
}
type Employee = { id: string; name: string; salary: number };
const repo = new ToolRepository<Employee>(() => tools.hr.employees.list({}));
const pick = <T, K extends keyof T>(o: T, ...keys: K[]): Pick<T, K> => Object.fromEntries(keys.map((k) => [k, o[k]])) as Pick<T, K>;
let sum = 0;
for await (const e of repo.all()) sum += e.salary;
const found = (await repo.find("emp_05"))!;
const ghost = await repo.find("emp_xx", { id: "emp_xx", name: "nobody", salary: 0 } satisfies Employee);
return { found: pick(found, "id", "name"), ghost: <string>ghost.name, sum: sum as unknown as number };
