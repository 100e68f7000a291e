//# title = "a program that keeps longer stacks has ten frames of them in its outcome"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = "deep"
//# line = 12
//# column = 22
//# [expect.error.details]
//# stack = "at f (main.ts:12:26)\nat f (main.ts:13:10)\nat f (main.ts:13:10)\nat f (main.ts:13:10)\nat f (main.ts:13:10)\nat f (main.ts:13:10)\nat f (main.ts:13:10)\nat f (main.ts:13:10)\nat f (main.ts:13:10)\nat f (main.ts:13:10)"
(Error as any).stackTraceLimit = 50;
function f(n: number): number {
  if (n === 0) throw new Error("deep");
  return f(n - 1) + 1;
}
f(20);
