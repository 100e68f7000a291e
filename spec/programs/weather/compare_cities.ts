const cities = ["Berlin", "Tokyo", "São Paulo", "Atlantis"];
const settled = await Promise.allSettled(cities.map((city) => tools.weather.forecast({ city })));

const ok = settled.flatMap((s) => (s.status === "fulfilled" ? [s.value] : []));
const failed = cities.filter((_, i) => settled[i].status === "rejected");

const summary = ok.map(({ city, days }) => {
  const max = Math.max(...days.map((d) => d.max));
  const min = Math.min(...days.map((d) => d.min));
  const rain = days.reduce((s, d) => s + d.rainMm, 0);
  return { city, range: `${min}…${max} °C`, fahrenheit: Math.round((max * 9) / 5 + 32), rain: +rain.toFixed(1) };
});
return { summary, failed };
