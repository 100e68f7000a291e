//# title = "out-of-memory in the smallest allocation can be caught as the same error"
//# limits = { memory = "4MiB" }
//# [expect]
//# result = '[true,"InternalError","out of memory"]'
let error;
try {
  let list = null;
  for (;;) list = { list };
} catch (caught) {
  error = caught;
}
return [error instanceof Error, error?.name, error?.message];
