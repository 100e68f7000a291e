//# title = "a long timer that is left does not hold up the end"
//# [expect]
//# result = '"at once"'
//# warnings = ['the program returned, and its timer in line 5, column 1 was due too late to be waited for: the timer did not fire. Await what the timer is for, or remove it with `clearTimeout` or `unref()`']
setTimeout(() => {}, 2 ** 40);
setTimeout(() => console.log("never"), 20000);
return "at once";
