//# title = "garbage with cycles does not count"
//# limits = { memory = "4MiB" }
//# [expect]
//# result = '200000'
let made = 0;
for (; made < 200_000; made++) {
  const one = { self: null as unknown };
  one.self = one;
}
return made;
