//# title = "the host chooses the locale and the time zone of programs that name none"
//# config = { locale = "de-DE", timeZone = "Europe/Berlin" }
//# [expect]
//# result = '["1.234,5","1.7.2026, 14:00:00","Wed Jul 01 2026 14:00:00 GMT+0200 (Mitteleuropäische Sommerzeit)",14,-120,-60,"2026-07-01T08:30:00.000Z","de-DE","Europe/Berlin","1/2/2026",-1,"ı"]'
const summer = new Date("2026-07-01T12:00:00Z"), winter = new Date("2026-01-02T12:00:00Z");
const used = new Intl.DateTimeFormat().resolvedOptions();
return [
  (1234.5).toLocaleString(), summer.toLocaleString(), String(summer), summer.getHours(), summer.getTimezoneOffset(),
  winter.getTimezoneOffset(), new Date(2026, 6, 1, 10, 30).toISOString(), used.locale, used.timeZone,
  winter.toLocaleDateString("en-US"), "ä".localeCompare("b"), "I".toLocaleLowerCase("tr"),
];
