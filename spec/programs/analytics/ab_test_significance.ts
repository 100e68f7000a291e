// Two-proportion z-test, normal CDF by the Abramowitz-Stegun approximation
const erf = (x: number): number => {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const y = 1 - ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t * Math.exp(-x * x);
  return Math.sign(x) * y;
};
const cdf = (z: number) => 0.5 * (1 + erf(z / Math.SQRT2));

interface Variant { name: string; visitors: number; conversions: number }
function test(a: Variant, b: Variant) {
  const pa = a.conversions / a.visitors;
  const pb = b.conversions / b.visitors;
  const pooled = (a.conversions + b.conversions) / (a.visitors + b.visitors);
  const se = Math.sqrt(pooled * (1 - pooled) * (1 / a.visitors + 1 / b.visitors));
  const z = (pb - pa) / se;
  return { uplift: +((pb / pa - 1) * 100).toFixed(2), z: +z.toFixed(4), p: +(2 * (1 - cdf(Math.abs(z)))).toFixed(5) };
}
const flag = await tools.flags.get({ key: "new-checkout" });
const total = 4000;
const treated = (total * flag.rollout) / 100;
const result = test({ name: "old", visitors: total - treated, conversions: 290 }, { name: "new", visitors: treated, conversions: 128 });
return { ...result, significant: result.p < 0.05 };
