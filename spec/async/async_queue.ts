//# title = "a pool of workers shares a queue of calls"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "applied"], ["demo.echo", "applied"], ["demo.echo", "applied"], ["demo.echo", "applied"], ["demo.echo", "applied"], ["demo.echo", "applied"]]
//# result = '[1,2,3,4,5,6]'
const queue = [1, 2, 3, 4, 5, 6];
const done: number[] = [];
async function worker() {
  for (let n = queue.shift(); n !== undefined; n = queue.shift()) done.push((await tools.demo.echo({ n })).n);
}
await Promise.all([worker(), worker(), worker()]);
return done.sort();
