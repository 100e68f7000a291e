//# title = "the time zone is UTC"
//# [expect]
//# result = '[0,"2024-07-01T12:00:00.000Z",true,12,"Mon Jul 01 2024 12:00:00 GMT+0000 (Coordinated Universal Time)"]'
const d = new Date(2024, 6, 1, 12);
return [d.getTimezoneOffset(), d.toISOString(), new Date("2024-07-01T12:00").getTime() === d.getTime(), d.getHours(), String(d)];
