//# title = "a long timer that is left does not hold up the end"
//# [expect]
//# result = '"at once"'
setTimeout(() => {}, 2 ** 40);
setTimeout(() => console.log("never"), 20000);
return "at once";
