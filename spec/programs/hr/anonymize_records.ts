type Employee = { id: string; name: string; salary: number; department: string };
const hidden = new Set<keyof Employee>(["name", "salary"]);

const redact = <T extends object>(target: T): T =>
  new Proxy(target, {
    get(obj, key, receiver) {
      if (hidden.has(key as keyof Employee)) return "***";
      return Reflect.get(obj, key, receiver);
    },
    ownKeys: (obj) => Reflect.ownKeys(obj).filter((k) => k !== "salary"),
    has: (obj, key) => key !== "salary" && key in obj,
  });

const employees: Employee[] = await tools.hr.employees.list({ department: "Support" });
const safe = employees.map(redact);
return { json: JSON.parse(JSON.stringify(safe)), hasSalary: "salary" in safe[0], spread: { ...safe[0] }, keys: Object.keys(safe[0]).length };
