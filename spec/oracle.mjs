// Runs programs under Node: a JSON line `{"code"}` in, `{"result"}` or `{"thrown"}` out.

import { createInterface } from "node:readline";

const run = globalThis.eval;
delete globalThis.eval;
for (const method of Object.keys(console)) console[method] = () => {}; // standard output is for answers

for await (const line of createInterface({ input: process.stdin })) {
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
