// Measures the package beside those that it replaces, in one run: medians, warm, in microseconds, each in a process of its own.
// Needs a release addon (`sdk/node/build`), and Node 22 or 24 on Linux with glibc for Vercel's package and TanStack's V8 driver, whose
// native part comes compiled for these.
//
//   node sdk/node/bench/compare.mjs [ITERATIONS] [ROUNDS]
//
// The packages take turns in every round. A figure is the median of the rounds.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ONE = 'return 1';
const THREE = (call) => `let sum = 0; for (let i = 0; i < 3; i++) sum += await ${call}({ n: i }); return sum`;

/** The subjects: each gives functions that run one program, and the programs. */
const SUBJECTS = {
  isobox: async () => {
    const { Isobox, tool } = await import('isobox');
    const isobox = new Isobox({ tools: { echo: tool({ execute: async ({ n }) => n }) } });
    return [(code) => isobox.run(code), 'tools.echo'];
  },
  'isobox/ai': () => codeMode('isobox/ai'),
  'experimental-ai-sdk-code-mode': () => codeMode('experimental-ai-sdk-code-mode'),
  'isobox/tanstack': () => driver('isobox/tanstack', 'createIsoboxIsolateDriver'),
  '@tanstack/ai-isolate-quickjs': () => driver('@tanstack/ai-isolate-quickjs', 'createQuickJSIsolateDriver'),
  '@tanstack/ai-isolate-node': () => driver('@tanstack/ai-isolate-node', 'createNodeIsolateDriver'),
};
/** How many times faster the replacements have to be. */
const MARKS = { 'experimental-ai-sdk-code-mode': { one: 100, three: 40 }, '@tanstack/ai-isolate-node': { one: 40, three: 15 } };
const OURS = { 'experimental-ai-sdk-code-mode': 'isobox/ai', '@tanstack/ai-isolate-quickjs': 'isobox/tanstack', '@tanstack/ai-isolate-node': 'isobox/tanstack' };

async function codeMode(name) {
  const { runCodeMode } = await import(name);
  const { tool } = await import('ai');
  const { z } = await import('zod');
  const tools = { echo: tool({ inputSchema: z.object({ n: z.number() }), execute: async ({ n }) => n }) };
  return [(js) => runCodeMode({ js, tools, toolExecutionOptions: { toolCallId: 'call', messages: [] } }), 'tools.echo'];
}

async function driver(name, create) {
  const made = (await import(name))[create]();
  const bindings = { external_echo: { name: 'external_echo', description: '', inputSchema: {}, execute: async ({ n }) => n } };
  const run = async (code) => {
    const context = await made.createContext({ bindings });
    const { success, error } = await context.execute(code);
    if (!success) throw new Error(error.message);
    await context.dispose();
  };
  return [run, 'external_echo'];
}

/** Returns the median in microseconds. */
async function median(run, times) {
  for (let i = 0; i < Math.max(10, times / 10); i++) await run();
  const took = [];
  for (let i = 0; i < times; i++) {
    const start = performance.now();
    await run();
    took.push((performance.now() - start) * 1000);
  }
  return took.sort((one, other) => one - other)[times >> 1];
}

const [, , first = '500', second = '3', times] = process.argv;
if (first in SUBJECTS) {
  const [run, call] = await SUBJECTS[first]();
  const code = second === 'three' ? THREE(call) : ONE;
  process.stdout.write(String(await median(() => run(code), Number(times))), () => process.exit(0));
} else {
  const [iterations, rounds] = [Number(first), Number(second)];
  const figures = Object.fromEntries(Object.keys(SUBJECTS).map((name) => [name, { one: [], three: [] }]));
  for (let round = 0; round < rounds; round++) {
    for (const which of ['one', 'three']) {
      for (const name of Object.keys(SUBJECTS)) {
        const times = String(name in OURS ? Math.max(20, iterations / 10) : iterations);
        const { stdout } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), name, which, times], { encoding: 'utf8' });
        figures[name][which].push(Number(stdout || NaN));
      }
    }
  }
  for (const measured of Object.values(figures)) {
    for (const which of ['one', 'three']) measured[which] = measured[which].sort((one, other) => one - other)[rounds >> 1];
  }
  const ratio = (name, which) => {
    if (!(name in OURS)) return '';
    const times = figures[name][which] / figures[OURS[name]][which];
    const mark = MARKS[name]?.[which];
    return `${times.toFixed(1)}×${mark === undefined ? '' : times >= mark ? ` (met: ${mark})` : ` (missed: ${mark})`}`;
  };
  console.table(
    Object.fromEntries(
      Object.entries(figures).map(([name, { one, three }]) => [name, { 'return 1, µs': Math.round(one), ' ': ratio(name, 'one'), 'three calls, µs': Math.round(three), '  ': ratio(name, 'three') }]),
    ),
  );
  console.log(`Node ${process.version}, ${iterations} iterations (a tenth for the others), ${rounds} rounds. × is how many times longer than the replacement. NaN: not there, or it failed.`);
}
