//# title = "no constructor makes code from text"
//# differsFromNode = "Node makes functions from text"
//# [expect]
//# result = 'true'
const results = [];
for (const f of [() => {}, async () => {}, function* () {}, async function* () {}]) {
  try {
    (f as any).constructor("return 1")();
    results.push("made code");
  } catch (error) {
    results.push(error.name);
  }
}
return new Set(results).size === 1 && results[0] !== "made code";
