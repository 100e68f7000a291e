//# title = "a map that outgrows the memory is an out-of-memory that can be caught"
//# limits = { memory = "4MiB" }
//# [expect]
//# result = '["InternalError","out of memory"]'
function fill(): any {
  const map = new Map();
  try { for (let i = 0; ; i++) map.set(i, i); } catch (error) { return error; }
}
const error = fill();
return [error.name, error.message];
