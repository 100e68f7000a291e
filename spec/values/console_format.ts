//# title = "format directives are filled in"
//# [expect]
//# logs = [["log", "Ada is 36.5 years, 3, 1.5, [1], {\"a\":1}, 100% extra"], ["log", "100% 1"], ["log", "%s"]]
//# result = 'null'
console.log("%s is %d years, %i, %f, %o, %j, 100%%", "Ada", 36.5, 3.9, "1.5", [1], { a: 1 }, "extra");
console.log("100%", 1);
console.log("%s");
return null;
