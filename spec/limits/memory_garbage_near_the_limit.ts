//# title = "garbage with cycles does not count when three quarters of the memory are in use"
//# limits = { memory = "64MiB" }
//# [expect]
//# result = '400000'
const live: unknown[] = [];
for (let i = 0; i < 46; i++) live.push(new Uint8Array(1 << 20));
let made = 0;
for (; made < 400_000; made++) {
  const one = { self: null as unknown };
  one.self = one;
}
return made;
