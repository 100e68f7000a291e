//# title = "an exported variable of a namespace has one value, inside and outside"
//# [expect]
//# result = '[2,7,8,["n","inc"]]'
namespace Counter {
  export let n = 0;
  export const inc = () => ++n;
}
Counter.inc();
Counter.inc();
const seen = Counter.n;
Counter.n = 7;
return [seen, Counter.n, Counter.inc(), Object.keys(Counter)];
