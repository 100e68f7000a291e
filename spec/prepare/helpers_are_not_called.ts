//# title = "functions that are no main function are not called among other statements"
//# [expect]
//# result = 'null'
//# logs = [["log", "work"]]
async function cleanUp() { console.log("cleaned"); }
for (const word of ["work"]) {
  console.log(word);
}
