//# title = "line breaks stay in a message"
//# [expect]
//# logs = [["log", "a\nb {\"c\":\"d\\ne\"}"]]
//# result = 'null'
console.log("a\nb", { c: "d\ne" });
return null;
