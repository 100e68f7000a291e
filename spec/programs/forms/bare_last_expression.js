const employees = await tools.hr.employees.list({});
const payroll = employees.reduce((sum, e) => sum + e.salary, 0);
({ payroll, average: Math.round(payroll / employees.length) })
