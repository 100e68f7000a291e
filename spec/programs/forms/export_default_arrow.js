const greet = (name) => `Hello, ${name}!`;
export default async () => {
  const [first] = await tools.hr.employees.list({ department: 'Support' });
  return greet(first.name);
};
