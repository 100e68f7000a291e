//# title = "a timer that is due later than `settle` after the return is dropped, and so is one with unref()"
//# limits = { settle = "50ms" }
//# [expect]
//# result = '1'
//# warnings = ['the program returned, and its timer in line 6, column 1 was due too late to be waited for: the timer did not fire. Await what the timer is for, or remove it with `clearTimeout` or `unref()`']
setTimeout(() => console.log("never"), 60_000);
setTimeout(() => console.log("never"), 10).unref();
return 1;
