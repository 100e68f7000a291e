//# title = "out-of-memory can be caught, and the program goes on"
//# limits = { memory = "4MiB" }
//# [expect]
//# result = '["InternalError","out of memory",5000]'
function fill(): any {
  const all = [];
  try { for (;;) all.push(new Array(100).fill(0)); } catch (error) { return error; }
}
const error = fill();
const again = Array.from({ length: 5000 }, (_, i) => i);
return [error.name, error.message, again.length];
