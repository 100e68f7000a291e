//# title = "timers set in timers fire"
//# [expect]
//# result = '[1,2,3,4,5]'
const seen: number[] = [];
await new Promise<void>((resolve) => {
  const step = (n: number) => {
    seen.push(n);
    if (n === 5) resolve();
    else setTimeout(step, 1, n + 1);
  };
  setTimeout(step, 0, 1);
});
return seen;
