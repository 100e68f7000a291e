//# title = "a local time that occurs twice or never has the offset before the clocks change"
//# config = { timeZone = "America/New_York" }
//# [expect]
//# result = '["2026-03-08T07:30:00.000Z","2026-11-01T05:30:00.000Z","2026-03-08T06:59:59.000Z","2026-03-08T07:00:00.000Z","1883-11-18T12:03:58.000Z",296]'
const iso = (...parts) => new Date(...parts).toISOString();
return [
  iso(2026, 2, 8, 2, 30), iso(2026, 10, 1, 1, 30), iso(2026, 2, 8, 1, 59, 59), iso(2026, 2, 8, 3, 0, 0),
  iso("1883-11-18T07:07:56"), new Date(1880, 0, 1).getTimezoneOffset(),
];
