//# title = "log lines that exactly fill the limit are all kept"
//# limits = { logs = 40 }
//# [expect]
//# result = '1'
//# logs = [["log", "abcd"], ["warn", "wxyz"]]
console.log("abcd"); // a line counts 16 bytes beside its text
console.warn("wxyz");
return 1;
