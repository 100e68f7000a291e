//# title = "await using waits for what it disposes, also at the end of the program's functions"
//# [expect]
//# result = '["body","b","a",5]'
const log: unknown[] = [];
async function work(): Promise<number> {
  await using a = { async [Symbol.asyncDispose]() { await null; log.push("a"); } };
  await using b = { [Symbol.dispose]() { log.push("b"); } };
  log.push("body");
  return 5;
}
const value = await work();
return [...log, value];
