//# title = "a program cannot import itself under the name that stacks show"
//# differsFromNode = "Node shows another name"
//# [expect]
//# result = "[\"main.ts\",\"TypeError: cannot import 'main.ts': only the program's own files and these modules can be imported: util, path, url, assert, crypto, events, buffer, timers, timers/promises, querystring, perf_hooks, process\"]"
const own = /\(([^():]+):\d+:\d+\)/.exec(new Error().stack!)![1];
return [own, await import(own).then(() => "imported", String)];
