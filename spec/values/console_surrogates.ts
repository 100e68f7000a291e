//# title = "halves of surrogate pairs are mended in the log"
//# [expect]
//# logs = [["log", "a� 😀"]]
//# result = 'null'
console.log("a\ud83d", "😀");
return null;
