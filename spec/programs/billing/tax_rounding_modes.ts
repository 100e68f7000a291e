// Compare rounding strategies for taxes
type Rounding = (x: number) => number;
const strategies: Record<string, Rounding> = {
  halfUp: (x) => Math.floor(x + 0.5),
  halfEven: (x) => {
    const f = Math.floor(x);
    const d = x - f;
    return d === 0.5 ? (f % 2 === 0 ? f : f + 1) : Math.round(x);
  },
  trunc: Math.trunc,
  ceil: Math.ceil,
};
const samples = [0.5, 1.5, 2.5, -0.5, -1.5, 1.005 * 100, 2.675 * 100, 1e21 + 0.5];
const table = Object.fromEntries(Object.entries(strategies).map(([name, fn]) => [name, samples.map(fn)]));
return { table, fixed: [1.005, 2.675, 10.235, 1.45, 8.345].map((n) => n.toFixed(2)), precise: (0.1 + 0.2).toPrecision(21), exp: (123456).toExponential(2) };
