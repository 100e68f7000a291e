//# title = "what could share memory or reach the host is not there"
//# differsFromNode = "Node has it"
//# [expect]
//# result = '[]'
const names = [
  "SharedArrayBuffer", "Atomics", "WebAssembly", "module", "exports",
  "window", "fetch", "XMLHttpRequest", "WebSocket", "Worker", "MessageChannel", "BroadcastChannel",
  "eval", "Function", "std", "os", "bjson", "print", "scriptArgs", "gc", "load", "loadScript", "read", "readFile", "quit", "exit", "Deno", "Bun",
  "navigator", "document", "localStorage", "indexedDB", "importScripts", "__dirname", "__filename", "host", "isobox",
];
return names.filter((name) => name in globalThis);
