//# title = "AbortSignal.any follows the first of several"
//# [expect]
//# result = '["TimeoutError",false]'
const a = new AbortController();
const any = AbortSignal.any([a.signal, AbortSignal.timeout(5)]);
await new Promise((resolve) => any.addEventListener("abort", resolve, { once: true }));
return [any.reason.name, a.signal.aborted];
