//# title = "a module that fills the memory when it is loaded ends the program before its first call"
//# tools = "spec"
//# limits = { memory = "4MiB" }
//# [modules]
//# large = "export const kept = []\n\nfor (;;) kept.push(new Uint8Array(65536))"
//# [expect]
//# [expect.error]
//# code = "MEMORY"
//# name = "MemoryLimitError"
//# message = "the program needed more than 4 MiB of memory"
//# line = 3
//# column = 24
//# details = { file = "large" }
import { kept } from 'large';
await tools.demo.echo(1);
return kept.length;
