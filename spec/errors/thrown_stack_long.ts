//# title = "a long stack is cut after ten frames"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'deep'
//# line = 11
//# column = 22
//# [expect.error.details]
//# stack = "at f (main.ts:11:26)\nat f (main.ts:12:10)\nat f (main.ts:12:10)\nat f (main.ts:12:10)\nat f (main.ts:12:10)\nat f (main.ts:12:10)\nat f (main.ts:12:10)\nat f (main.ts:12:10)\nat f (main.ts:12:10)\nat f (main.ts:12:10)"
function f(n: number): number {
  if (n === 0) throw new Error("deep");
  return f(n - 1) + 1;
}
f(20);
