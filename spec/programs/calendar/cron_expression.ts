// Minimal cron matcher: "*/15 9-17 * * 1-5"
class Cron {
  private readonly fields: Set<number>[];
  static readonly #ranges = [[0, 59], [0, 23], [1, 31], [1, 12], [0, 6]] as const;
  constructor(expression: string) {
    this.fields = expression.trim().split(/\s+/).map((field, i) => Cron.#parse(field, ...Cron.#ranges[i]));
  }
  static #parse(field: string, min: number, max: number): Set<number> {
    const out = new Set<number>();
    for (const part of field.split(",")) {
      const [, range, step = "1"] = /^([^/]+)(?:\/(\d+))?$/.exec(part)!;
      const [from, to = from] = range === "*" ? [min, max] : range.split("-").map(Number);
      for (let v = from; v <= (range.includes("-") || range === "*" ? to : from); v += Number(step)) out.add(v);
    }
    return out;
  }
  *next(after: Date, count: number) {
    const t = new Date(Math.ceil((+after + 1) / 60000) * 60000);
    while (count > 0) {
      const values = [t.getUTCMinutes(), t.getUTCHours(), t.getUTCDate(), t.getUTCMonth() + 1, t.getUTCDay()];
      if (this.fields.every((f, i) => f.has(values[i]))) {
        yield t.toISOString();
        count--;
      }
      t.setUTCMinutes(t.getUTCMinutes() + 1);
    }
  }
}
const [first] = await tools.calendar.events.list({ calendar: "sales" });
return [...new Cron("*/20 16-17 * * 1,5").next(new Date(first.start), 7)];
