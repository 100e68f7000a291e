//# title = "every global of the contract is there"
//# differsFromNode = "Node has no tools"
//# [expect]
//# result = '[]'
const names = ["tools", "console", "setTimeout", "clearTimeout", "URL", "URLSearchParams", "TextEncoder", "TextDecoder", "atob", "btoa", "structuredClone", "queueMicrotask", "AbortController", "AbortSignal", "globalThis"];
return names.filter((name) => (globalThis as any)[name] === undefined);
