//# title = "every level of console is captured"
//# [expect]
//# logs = [["debug", "d"], ["log", "l"], ["info", "i"], ["warn", "w"], ["error", "e"]]
//# result = 'null'
console.debug("d");
console.log("l");
console.info("i");
console.warn("w");
console.error("e");
return null;
