// A playground runs a module of Directive and its runner.
import { runInSandbox, setMaxConcurrentWorkers } from '@directive-run/sandbox';

setMaxConcurrentWorkers(2);
const counter = `
import { createModule, t } from "@directive-run/core";

export const counter = createModule("counter", {
  schema: { facts: { count: t.number() }, events: { bump: {} } },
  init: (facts) => { facts.count = 0; },
  events: { bump: (facts) => { facts.count += 1; } },
});
`;
const main = `
import { createSystem } from "@directive-run/core";
import { counter } from "./counter.js";

const system = createSystem({ module: counter });
system.start();
console.log("[start] count=", system.facts.count);
system.events.bump({});
system.events.bump({});
await system.settle();
console.log("[settled] count=", system.facts.count);
system.destroy();
`;
const { logs, facts, errors, timedOut } = await runInSandbox({
  files: [
    { path: 'src/counter.ts', source: counter },
    { path: 'src/main.ts', source: main },
  ],
  timeoutMs: 5000,
  signal: AbortSignal.timeout(60_000),
});
console.log({ logs, facts, errors, timedOut });
