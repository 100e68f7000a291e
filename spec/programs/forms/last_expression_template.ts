const { city, days } = await tools.weather.forecast({ city: "Tokyo" });
`${city}: ${days.map((d) => d.sky).join(" → ")}`;
