const cities = ['Tokyo', 'Berlin', 'Atlantis'];
const out = [];
try {
  for await (const forecast of cities.map((city) => tools.weather.forecast({ city }))) {
    out.push(forecast.city);
  }
} catch (e) {
  out.push(e.message);
}
const evens = (async function* () { for (let i = 0; i < 10; i += 2) yield i; })();
for await (const n of evens) { if (n > 4) break; out.push(n); }
return { out, done: await evens.next() };
