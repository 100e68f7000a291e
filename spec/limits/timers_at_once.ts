//# title = "ten thousand timers may be set at once, and the next one throws"
//# notUnderNode = "Node has no such bound"
//# [expect]
//# result = '[10000,"RangeError: more than 10000 timers are set at once"]'
let set = 0;
try {
  while (true) {
    setTimeout(() => {}, 100000);
    set++;
  }
} catch (error) {
  return [set, String(error)];
}
