//# title = "a module that waits for nothing is DEADLOCK"
//# [expect.error]
//# code = "DEADLOCK"
//# name = "DeadlockError"
//# message = 'the program waits for something that can never come'
//# hint = 'it awaits a promise that never resolves: no tool call and no timer is active'
export default async () => {
  await new Promise(() => {});
};
