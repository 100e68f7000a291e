// Compares the recorded meaning of the TypeScript corpus (spec/typescript) with the TypeScript compiler and this Node.
//
//     node typescript.mjs INSTALLED [--record]
//
// INSTALLED is the folder that has `node_modules` of package-lock.json. With --record, writes the expectations anew.

import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import vm from "node:vm";
import { cases } from "../typescript/cases.mjs";

const RECORDED = new URL("../typescript/expected.jsonl", import.meta.url);
const PRELUDE = readFileSync(new URL("../typescript/show.js", import.meta.url), "utf8");

const typescript = createRequire(path.resolve(process.argv[2], "package.json"))("typescript");
const OPTIONS = {
  reportDiagnostics: true,
  compilerOptions: {
    target: typescript.ScriptTarget.ES2022,
    module: typescript.ModuleKind.None,
    useDefineForClassFields: true,
    alwaysStrict: true,
  },
};

const lines = [];
for (const source of cases()) {
  const value = await meaning(source);
  if (value !== undefined) lines.push(JSON.stringify({ source, value }));
}
const text = `${lines.join("\n")}\n`;
if (process.argv[3] === "--record") {
  writeFileSync(RECORDED, text);
} else if (readFileSync(RECORDED, "utf8") !== text) {
  const recorded = readFileSync(RECORDED, "utf8").split("\n");
  const at = lines.findIndex((line, index) => line !== recorded[index]);
  console.error(`the TypeScript compiler and the recorded expectations differ, first in line ${at + 1}:\n${lines[at]}\n${recorded[at]}`);
  process.exit(1);
}
console.log(`${lines.length} TypeScript programs mean what is recorded`);

/** What a program gives when the TypeScript compiler has compiled it; undefined where it is no TypeScript. */
async function meaning(source) {
  const { outputText, diagnostics } = typescript.transpileModule(`async function $program() {\n${source}\n}`, OPTIONS);
  if (diagnostics.length > 0) return undefined;
  try {
    const program = vm.runInThisContext(`"use strict";(() => {${PRELUDE}\n${outputText};return $program})()`);
    return await program();
  } catch (error) {
    return `throws ${error.name}`;
  }
}
