//# title = "a timer that is left when the program returns is waited for"
//# [expect]
//# result = '1'
//# logs = [["log", "fired"]]
setTimeout(() => console.log("fired"), 0);
return 1;
