//# title = "as, satisfies, non-null and angle assertions vanish"
//# [expect]
//# result = '[1,2,"c",2,5]'
const a = { k: 1 } as const;
const b = [1, 2] satisfies number[];
const c = (null as string | null) ?? "c";
const d = b.find((n) => n > 1)!;
const e = <number>5;
return [a.k, b.length, c, d, e];
