//# title = "Math.hypot rounds as V8 does"
//# [expect]
//# result = '[2015.3511582799774,"0","0","Infinity","NaN",[3,5,5e-324],4.003844259188627,[1,2,3]]'
const sides = (count: number) => Array.from({ length: count }, (_, index) => index + 0.1);
const read: number[] = [];
const asked = (side: number) => ({ valueOf: () => (read.push(side), side) });
Math.hypot(...[asked(1), asked(2), asked(3)] as any[]);
let sum = 0;
for (let a = 1; a <= 40; a++) sum += Math.hypot(a / 7, a * 2.3, 61 / a);
return [
  sum,
  `${Math.hypot()}`,
  `${Math.hypot(-0)}`,
  `${Math.hypot(NaN, -Infinity)}`,
  `${Math.hypot(1, NaN)}`,
  [Math.hypot(-3), Math.hypot(3, 4), Math.hypot(5e-324)],
  Math.hypot(...sides(4)) + Math.hypot(...sides(1)),
  read,
];
