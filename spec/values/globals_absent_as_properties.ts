//# title = "what is not there is no property of the global object either"
//# differsFromNode = "Node has them"
//# [expect]
//# result = '[]'
return ["eval", "Function", "module", "exports", "__dirname", "__filename", "WebAssembly", "Atomics", "SharedArrayBuffer", "CryptoKey", "fetch", "XMLHttpRequest", "WebSocket", "window", "document", "navigator", "localStorage", "location", "Deno", "Bun", "std", "os", "bjson", "print", "gc", "scriptArgs", "importScripts", "Worker", "ShadowRealm"].filter((name) => name in globalThis || Object.getOwnPropertyDescriptor(globalThis, name) !== undefined);
