//# title = "a module that waits for nothing is DEADLOCK"
//# [expect.error]
//# code = "DEADLOCK"
//# name = "DeadlockError"
//# message = 'the program awaits a promise that can never resolve'
//# hint = 'no tool call and no timer is active that could resolve it'
export default async () => {
  await new Promise(() => {});
};
