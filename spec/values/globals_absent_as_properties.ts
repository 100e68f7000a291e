//# title = "what is not there is no property of the global object either"
//# differsFromNode = "Node has them"
//# [expect]
//# result = '[]'
return ["eval", "Function", "require", "module", "exports", "process", "global", "Buffer", "__dirname", "__filename", "WebAssembly", "Atomics", "SharedArrayBuffer", "performance", "crypto", "Crypto", "CryptoKey", "SubtleCrypto", "fetch", "Headers", "Response", "Request", "XMLHttpRequest", "WebSocket", "setInterval", "clearInterval", "setImmediate", "window", "document", "self", "navigator", "localStorage", "location", "Deno", "Bun", "std", "os", "bjson", "print", "gc", "scriptArgs", "importScripts", "Worker", "Intl", "ShadowRealm"].filter((name) => name in globalThis || Object.getOwnPropertyDescriptor(globalThis, name) !== undefined);
