//# title = "using disposes at the end of its block, in reverse order"
//# [expect]
//# result = '["body","b","a",1,"c1",2,"c2"]'
const log: unknown[] = [];
const make = (name: string) => ({ [Symbol.dispose]() { log.push(name); } });
{
  using a = make("a"), b: any = make("b"), nothing = null;
  log.push("body");
}
for (using c of [1, 2].map((n) => ({ n, ...make("c" + n) }))) log.push(c.n);
return log;
