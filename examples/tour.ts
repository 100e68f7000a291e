// A tour in twenty lines: tools, concurrency, an error that is caught, types, a log.
// Run it with: isobox run --demo examples/tour.ts

interface Report {
  warmest: string;
  sky: Record<string, string[]>;
  missing: string[];
}

const cities: string[] = [...(await tools.cities.list({})), "Atlantis"];
console.log(`asking for the weather of ${cities.length} cities, all at once`);

const started = Date.now();
const answers = await Promise.allSettled(cities.map((city) => tools.weather.current({ city })));
console.info(`answered after ${Math.round((Date.now() - started) / 10) * 10} ms`);

const missing: string[] = [];
const found = answers.flatMap((answer, index) => {
  if (answer.status === "fulfilled") return [answer.value];
  console.warn(`${cities[index]}: ${answer.reason.message} (${answer.reason.code})`);
  missing.push(cities[index]);
  return [];
});

const sky: Report["sky"] = {};
for (const { city, sky: kind } of found) (sky[kind] ??= []).push(city);
const [warmest] = found.sort((a, b) => b.celsius - a.celsius);

return { warmest: `${warmest.city}, ${warmest.celsius} °C`, sky, missing } satisfies Report;
