//# title = "garbage with cycles does not count beside much that is in use"
//# limits = { memory = "16MiB" }
//# [expect]
//# result = '300000'
const live = new Uint8Array(8 << 20);
let made = 0;
for (; made < 300_000; made++) {
  const one = { self: null as unknown };
  one.self = one;
}
return made;
