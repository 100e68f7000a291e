//# title = "console.log without arguments is an empty line"
//# [expect]
//# logs = [["log", ""], ["log", ""]]
//# result = 'null'
console.log();
console.log("");
return null;
