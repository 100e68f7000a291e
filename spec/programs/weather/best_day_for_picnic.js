// Llama style
async function getBestDay(city) {
  const forecast = await tools.weather.forecast({ city: city });
  let best = null;
  let bestScore = -Infinity;
  for (const day of forecast.days) {
    let score = 0;
    if (day.sky === "sun") score += 10;
    else if (day.sky === "cloudy") score += 5;
    score -= day.rainMm;
    score -= Math.abs(22 - (day.min + day.max) / 2) / 2;
    if (score > bestScore) {
      bestScore = score;
      best = day;
    }
  }
  return { city: city, date: best.date, score: Math.round(bestScore * 10) / 10 };
}

const results = [];
for (const city of ["Berlin", "Tokyo", "São Paulo", "Reykjavík"]) {
  results.push(await getBestDay(city));
}
results.sort((a, b) => b.score - a.score);
return results;
