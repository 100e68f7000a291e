const entries = await tools.hr.timesheets.list({ employeeId: 'emp_09' });
const naive = entries.reduce((s, e) => s + e.hours, 0);
const inMinutes = entries.reduce((s, e) => s + Math.round(e.hours * 60), 0);
return {
  naive,
  exact: inMinutes / 60,
  equal: naive === inMinutes / 60,
  tiny: 0.1 + 0.2,
  close: Math.abs(0.1 + 0.2 - 0.3) < Number.EPSILON,
  hhmm: `${Math.trunc(inMinutes / 60)}:${String(inMinutes % 60).padStart(2, '0')}`,
};
