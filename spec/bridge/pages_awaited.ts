//# title = "a call that reads pages is a promise too, and its iterator is not enumerable"
//# tools = "spec"
//# [expect]
//# result = '[{"pages":[[1],[2]],"next":{"from":3,"to":3}},[],true,[3]]'
//# calls = [["spec.numbers.pages", "applied"], ["spec.numbers.pages", "applied"]]
const call = tools.spec.numbers.pages({ to: 3 });
const result: any = await call;
const { pages: [last] }: any = await tools.spec.numbers.pages(result.next);
return [result, Object.keys(call), call instanceof Promise, last];
