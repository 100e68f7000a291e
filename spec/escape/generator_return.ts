//# title = "the end of the program does not run what is left of a generator"
//# [expect]
//# result = '[1]'
const seen: number[] = [];
function* numbers() { try { yield 1; yield 2; } finally { seen.push(99); } }
const iterator = numbers();
seen.push(iterator.next().value as number);
return seen;
