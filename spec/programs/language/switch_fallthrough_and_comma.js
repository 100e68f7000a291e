function severity(level) {
  let score = 0;
  switch (level) {
    case 'error': score += 5;
    case 'warn': score += 3;
    case 'info': score += 1; break;
    default: { score = -1; }
  }
  return score;
}
const logs = await tools.logs.search({});
let i = 0, max = 0, a;
for (; i < logs.length; i++, max = Math.max(max, severity(logs[i - 1].level)));
a = (i++, i * 2);
const chained = !!(i && 'x') + +true;
var v = void 0, t = typeof undeclared;
if (i) ; else i = 0;
return { scores: logs.map((l) => severity(l.level)), i, max, a, chained, v, t, exp: 2 ** 3 ** 2, neg: (-2) ** 2, mod: -7 % 3, cmp: [null >= 0, null == 0, undefined == null, NaN != NaN, [] + {}, [] == false] };
