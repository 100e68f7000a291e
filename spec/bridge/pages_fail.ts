//# title = "a failed call ends the iteration over pages with its error"
//# tools = "spec"
//# limits = { calls = 2 }
//# [expect]
//# result = '[4,"CALL_LIMIT"]'
//# calls = [["spec.numbers.pages", "applied"], ["spec.numbers.pages", "applied"]]
let count = 0;
try {
  for await (const page of tools.spec.numbers.pages({ to: 50 })) count++;
} catch (error: any) {
  return [count, error.code];
}
