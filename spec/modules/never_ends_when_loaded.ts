//# title = "a module that never ends when it is loaded uses up the time of the program, before its first call"
//# tools = "spec"
//# limits = { timeout = "20s", cpu = "50ms" }
//# [modules]
//# endless = "export const x = 1\n\nfor (;;) {}"
//# [expect]
//# [expect.error]
//# code = "TIMEOUT"
//# name = "TimeoutError"
//# message = "the program used more than 50ms of processor time"
//# line = 3
//# column = 1
//# details = { limit = "cpu", file = "endless" }
import { x } from 'endless';
await tools.demo.echo(1);
return x;
