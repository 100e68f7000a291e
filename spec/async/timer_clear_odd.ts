//# title = "clearTimeout of anything else does nothing"
//# [expect]
//# result = '"fine"'
clearTimeout(undefined);
clearTimeout(null as any);
clearTimeout(0);
clearTimeout(99999);
clearTimeout(NaN);
clearTimeout({} as any);
const timer = setTimeout(() => {}, 0);
await new Promise((resolve) => setTimeout(resolve, 5));
clearTimeout(timer);
clearTimeout(timer);
return "fine";
