class Temperature {
  constructor(private celsius: number) {}
  toJSON(key: string) { return { key, celsius: this.celsius, fahrenheit: this.celsius * 1.8 + 32 }; }
}
const { days } = await tools.weather.forecast({ city: "Tokyo" });
const url = new URL("https://example.com/a b?q=ü");
return { max: new Temperature(days[0].max), list: JSON.parse(JSON.stringify(days.map((d) => new Temperature(d.min)))), url };
