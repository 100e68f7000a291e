//# title = "a hundred thousand timers may be set in all"
//# notUnderNode = "Node has no such bound"
//# [expect]
//# result = '[100000,"RangeError: more than 100000 timers were set in all"]'
let set = 0;
try {
  while (true) {
    clearTimeout(setTimeout(() => {}, 100000));
    set++;
  }
} catch (error) {
  return [set, String(error)];
}
