//# title = "templates within templates with types inside"
//# [expect]
//# result = '"<2>,<3>"'
const f = (x: number): string => `${`<${(x as number) + 1}>`}`;
return `${[1, 2].map((n: number) => `${f(n)}`).join(`,`)}`;
