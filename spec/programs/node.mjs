// Runs every program under Node and compares what it gives with expected.json, or writes that file anew:
//
//   node spec/programs/node.mjs FOLDER [--write] [--only TEXT]
//
// FOLDER is where `typescript` is installed. A program runs in a thread of its own, wrapped as its form asks. The result is JSON,
// where values that JSON.stringify would lose keep what they hold: see `plain`.

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { Worker } from "node:worker_threads";
import { wrapped } from "./wrap.mjs";

const here = new URL("./", import.meta.url);
const record = new URL("expected.json", here);
const AFTER_RESULT_MS = 3000;
const PROGRAM_MS = 20_000;

const [folder, ...options] = process.argv.slice(2);
const only = options.includes("--only") ? options[options.indexOf("--only") + 1] : "";
const typescript = createRequire(`${resolve(folder)}/`)("typescript");

process.env.TZ = "UTC";
if (Intl.DateTimeFormat().resolvedOptions().locale !== "en-US") throw new Error("start node with LC_ALL=en_US.UTF-8");

const names = programs();
const given = {};
for (let next = 0; next < names.length; next += 4) {
  const some = names.slice(next, next + 4);
  const answers = await Promise.all(some.map(run));
  some.forEach((name, index) => (given[name] = answers[index]));
}
if (options.includes("--write")) write();
else check();

function programs() {
  const topics = readdirSync(here, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const all = topics.flatMap(({ name }) => readdirSync(new URL(`${name}/`, here)).map((file) => `${name}/${file}`));
  return all.filter((name) => name.includes(only)).sort();
}

function run(name) {
  const logs = [];
  let answer = { deadlock: true };
  let code;
  try {
    code = wrapped(typescript, readFileSync(new URL(name, here), "utf8"), name);
  } catch (error) {
    return { broken: String(error) };
  }
  const worker = new Worker(new URL("worker.mjs", here), { workerData: code, env: {}, stdout: true, stderr: true });
  let timer = setTimeout(() => worker.terminate(), PROGRAM_MS);
  return new Promise((done) => {
    worker.on("message", ({ log, ...end }) => {
      if (log) return logs.push(log);
      answer = end;
      clearTimeout(timer);
      timer = setTimeout(() => worker.terminate(), AFTER_RESULT_MS);
    });
    worker.on("error", (error) => (answer = { thrown: { name: error?.name ?? "Error", message: error?.message ?? String(error) } }));
    worker.on("exit", () => {
      clearTimeout(timer);
      done(logs.length ? { ...answer, logs } : answer);
    });
  });
}

function read() {
  return JSON.parse(readFileSync(record, "utf8"));
}

function write() {
  const all = only === "" ? given : { ...read(), ...given };
  const lines = Object.keys(all).sort().map((name) => `${JSON.stringify(name)}: ${JSON.stringify(all[name])}`);
  writeFileSync(record, `{\n${lines.join(",\n")}\n}\n`);
  const unfit = names.filter((name) => given[name].broken || given[name].deadlock);
  for (const name of unfit) console.error(name, given[name]);
  console.log(`wrote ${names.length} programs`);
  if (unfit.length) process.exitCode = 1;
}

function check() {
  const expected = read();
  const differing = names.filter((name) => JSON.stringify(given[name]) !== JSON.stringify(expected[name]));
  for (const name of differing) {
    console.error(`${name}\n  node gives  ${JSON.stringify(given[name])}\n  recorded is ${JSON.stringify(expected[name])}`);
  }
  const gone = only === "" ? Object.keys(expected).filter((name) => !names.includes(name)) : [];
  for (const name of gone) console.error(`${name} is recorded and does not exist`);
  console.log(`${names.length - differing.length} of ${names.length} programs give what is recorded`);
  if (differing.length || gone.length) process.exitCode = 1;
}
