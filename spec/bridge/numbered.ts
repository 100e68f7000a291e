//# title = "calls are numbered in the order in which they were made, timers included"
//# tools = "spec"
//# [expect]
//# result = '["0","1","3","4"]'
//# calls = [["spec.key.suffix", "applied"], ["spec.key.suffix", "applied"], ["spec.key.suffix", "applied"], ["spec.key.suffix", "applied"]]
const first = [tools.spec.key.suffix(), tools.spec.key.suffix()];
clearTimeout(setTimeout(() => {}, 0));
const later = [tools.spec.key.suffix(), tools.spec.key.suffix()];
return [...(await Promise.all(first)), ...(await Promise.all(later))];
