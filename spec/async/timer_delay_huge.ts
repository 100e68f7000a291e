//# title = "a delay that is longer than any timer does not wrap around: it just does not come"
//# differsFromNode = "Node takes such a delay for 1 ms"
//# [expect]
//# result = '["short"]'
//# warnings = ['the program returned, and its timer in line 7, column 1 was due too late to be waited for: the timer did not fire. Await what the timer is for, or remove it with `clearTimeout` or `unref()`']
const seen: string[] = [];
setTimeout(() => seen.push("2^31"), 2 ** 31);
setTimeout(() => seen.push("2^32 + 1"), 2 ** 32 + 1);
setTimeout(() => seen.push("2^53"), 2 ** 53);
setTimeout(() => seen.push("Infinity"), Infinity);
await new Promise<void>((resolve) => setTimeout(() => { seen.push("short"); resolve(); }, 20));
return seen;
