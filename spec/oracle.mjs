// Runs programs under Node: a JSON line `{"code"}` in, `{"result"}` or `{"thrown"}` out.

const run = globalThis.eval;
delete globalThis.eval;
for (const method of Object.keys(console)) console[method] = () => {}; // standard output is for answers

/** The lines of standard input. (`readline` would also split at U+2028, which JSON does not escape.) */
async function* lines() {
  let rest = "";
  for await (const chunk of process.stdin.setEncoding("utf8")) {
    const parts = (rest + chunk).split("\n");
    rest = parts.pop();
    yield* parts;
  }
}

for await (const line of lines()) {
  let answer;
  try {
    const main = run(`"use strict";${JSON.parse(line).code}`);
    const result = await main();
    answer = { result: JSON.parse(JSON.stringify(result) ?? "null") };
  } catch (error) {
    answer = { thrown: error?.name ?? "Error" };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
