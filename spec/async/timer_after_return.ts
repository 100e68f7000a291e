//# title = "timers that are left when the program returns do not run"
//# [expect]
//# result = '1'
setTimeout(() => console.log("never"), 0);
return 1;
