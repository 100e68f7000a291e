//# title = "a timer that is cleared and set again fires once"
//# [expect]
//# result = '1'
let fired = 0;
let timer: any;
for (let i = 0; i < 5; i++) {
  clearTimeout(timer);
  timer = setTimeout(() => { fired++; }, 300);
  await new Promise((resolve) => setTimeout(resolve, 1));
}
await new Promise((resolve) => setTimeout(resolve, 500));
return fired;
