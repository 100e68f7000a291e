//# title = "the specifier of an import is converted once, and then refused"
//# differsFromNode = "Node's message is another"
//# [expect]
//# result = "[1,\"TypeError: cannot import 'a': only the program's own files and these modules can be imported: util, path, url, assert, crypto, events, buffer, timers, timers/promises, querystring, perf_hooks, process\"]"
let times = 0;
const error = await import({ toString() { times++; return "a"; } } as any).catch((error) => error);
return [times, String(error)];
