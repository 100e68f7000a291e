//# title = "parameter properties become properties"
//# [expect]
//# result = '[{"a":1,"b":2,"d":2},5]'
class P {
  constructor(public a: number, private readonly b = 2, protected c?: string, readonly d = a * 2) {}
  sum() { return this.a + this.b + this.d; }
}
const p = new P(1);
return [p, p.sum()];
