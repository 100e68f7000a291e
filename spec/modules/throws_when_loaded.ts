//# title = "a module that throws when it is loaded ends the program before its first call, with the place in the module"
//# tools = "spec"
//# [modules]
//# early = "const ready = false\n\nif (!ready) throw new RangeError('not today')\nexport const x = 1"
//# [expect]
//# [expect.error]
//# code = "THROWN"
//# name = "RangeError"
//# message = "not today"
//# line = 3
//# column = 19
//# details = { file = "early" }
import { x } from 'early';
await tools.demo.echo(1);
return x;
