//# title = "a timer that is due later than `settle` after the return is dropped, and so is one with unref()"
//# limits = { settle = "50ms" }
//# [expect]
//# result = '1'
setTimeout(() => console.log("never"), 60_000);
setTimeout(() => console.log("never"), 10).unref();
return 1;
