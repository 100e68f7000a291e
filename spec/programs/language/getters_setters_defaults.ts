class Temperature {
  static #instances = 0;
  static { Temperature.unit = "°C"; }
  static unit: string;
  #celsius = 0;
  constructor(celsius = 20) { this.#celsius = celsius; Temperature.#instances++; }
  get fahrenheit() { return this.#celsius * 9 / 5 + 32; }
  set fahrenheit(value) { this.#celsius = (value - 32) * 5 / 9; }
  get [Symbol.toStringTag]() { return "Temperature"; }
  [Symbol.toPrimitive](hint: string) { return hint === "number" ? this.#celsius : `${this.#celsius}${Temperature.unit}`; }
  static get count() { return Temperature.#instances; }
  static is(value: object): value is Temperature { return #celsius in value; }
}
const { days } = await tools.weather.forecast({ city: "São Paulo" });
const temps = days.map((d) => new Temperature(d.max));
temps[0].fahrenheit = 212;
const settings = {
  _volume: 5,
  get volume() { return this._volume; },
  set volume(v) { this._volume = Math.min(10, Math.max(0, v)); },
};
settings.volume = 42;
return { nums: temps.map(Number), texts: temps.map(String), tag: Object.prototype.toString.call(temps[0]), count: Temperature.count, is: [Temperature.is(temps[0]), Temperature.is({})], settings, f: temps[1].fahrenheit };
