//# title = "ten thousand timers may be set at once, and the next one throws"
//# notUnderNode = "Node has no such bound"
//# [expect]
//# result = '[10000,"RangeError: more than 10000 timers are set at once"]'
//# warnings = ['the program returned, and its timer in line 9, column 5 was due too late to be waited for: the timer did not fire. Await what the timer is for, or remove it with `clearTimeout` or `unref()`']
let set = 0;
try {
  while (true) {
    setTimeout(() => {}, 100000);
    set++;
  }
} catch (error) {
  return [set, String(error)];
}
