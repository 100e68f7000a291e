const { days } = await tools.weather.forecast({ city: "Berlin" });
const locales = ["de-DE", "fr-FR", "ja-JP", "en-US"];
return days.map(({ date, sky }) => ({
  sky,
  ...Object.fromEntries(
    locales.map((locale) => [locale, new Date(`${date}T12:00:00Z`).toLocaleDateString(locale, { weekday: "long", day: "numeric", month: "short", timeZone: "UTC" })]),
  ),
}));
