//# title = "AbortSignal.timeout aborts after its time"
//# [expect]
//# result = '[false,"abort",true,"TimeoutError"]'
const signal = AbortSignal.timeout(5);
const before = signal.aborted;
const type = await new Promise((resolve) => signal.addEventListener("abort", (event) => resolve(event.type)));
return [before, type, signal.aborted, signal.reason.name];
