const { total } = await tools.crm.customers.list({ limit: 1 });
const { locale, timeZone } = Intl.DateTimeFormat().resolvedOptions();
const date = new Date(Date.UTC(2025, 0, 5, 15, 4, 9));
return {
  locale, timeZone,
  number: (1234567.891).toLocaleString(),
  small: total.toLocaleString(),
  bigint: (12345678901234567890n).toLocaleString(),
  date: date.toLocaleDateString(),
  time: date.toLocaleTimeString(),
  both: date.toLocaleString(),
  undef: date.toLocaleString(undefined, { month: 'long', year: 'numeric' }),
  list: [1234.5, date].toLocaleString(),
  upper: 'i'.toLocaleUpperCase('tr'),
};
