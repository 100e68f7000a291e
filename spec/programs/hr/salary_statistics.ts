const employees = await tools.hr.employees.list({});
const stats = (xs: number[]) => {
  const n = xs.length;
  const mean = xs.reduce((a, b) => a + b) / n;
  const variance = xs.reduce((s, x) => s + (x - mean) ** 2, 0) / (n - 1 || 1);
  const sorted = Float64Array.from(xs).sort();
  return { n, mean: Math.round(mean), sd: Math.round(Math.sqrt(variance)), min: sorted[0], max: sorted.at(-1), median: (sorted[(n - 1) >> 1] + sorted[n >> 1]) / 2 };
};
const byDepartment = Object.groupBy(employees, ({ department }) => department);
return Object.fromEntries(Object.entries(byDepartment).map(([d, es]) => [d, stats(es!.map((e) => e.salary))]));
