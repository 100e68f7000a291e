//# title = "every global of the contract is there"
//# differsFromNode = "Node has no tools"
//# [expect]
//# result = '[]'
const names = ["tools", "console", "setTimeout", "clearTimeout", "URL", "URLSearchParams", "TextEncoder", "TextDecoder", "atob", "btoa", "structuredClone", "queueMicrotask", "AbortController", "AbortSignal", "globalThis", "setInterval", "clearInterval", "setImmediate", "clearImmediate", "Buffer", "Blob", "File", "FormData", "Headers", "Request", "Response", "URLPattern", "crypto", "performance", "process", "require", "global", "self"];
return names.filter((name) => (globalThis as any)[name] === undefined);
