// Measures the package against the marks that it has to meet, each in a process of its own, and prints whether it does. Needs a release addon
// (`sdk/node/build`). Figures of a machine that does other work are worse than those of an idle one: beside the delay of the event loop stands
// that of an idle loop in the same process.
//
//   node sdk/node/bench/marks.mjs [MARK…]      loop, memory, waiting, rust
//
// `rust` compares with the library: ISOBOX_BENCH is the path of `isobox-bench` (`cargo build --release -p isobox-bench`).
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

import { Isobox, tool } from 'isobox';

const BENCH = process.env.ISOBOX_BENCH ?? fileURLToPath(new URL('../../../target/release/isobox-bench', import.meta.url));

/** The programs of `isobox-bench`. */
const RETURN_1 = 'return 1';
const ROUNDTRIPS_3 = `
const a = await tools.add({ a: 1, b: 2 });
const b = await tools.add({ a, b: 3 });
const c = await tools.add({ a: b, b: 4 });
return c;`;
const WAITING = `const seen = new Map([['a', 1], ['b', /x+/]]);
function* numbers() { yield 1; yield 2; }
const waiting = numbers(); waiting.next();
const answer = await tools.wait({ for: 'a person' });
return [answer, seen.size, waiting.next().value];`;

/** The measurements. Each returns what is measured, the limit in the same unit, and what else there is to know. */
const MARKS = {
  loop: {
    title: 'delay of the event loop while a program computes for a second, ms',
    measure: async () => {
      const isobox = new Isobox();
      await isobox.run('return 1');
      const delayed = async (work) => {
        const delay = monitorEventLoopDelay({ resolution: 1 });
        delay.enable();
        await work();
        delay.disable();
        return delay.max / 1e6;
      };
      const idle = await delayed(() => new Promise((resolve) => setTimeout(resolve, 1000)));
      let outcome;
      const busy = await delayed(async () => (outcome = await isobox.run('while (true) {}', { limits: { timeout: '1s' } })));
      if (outcome.error?.code !== 'TIMEOUT') throw new Error(`the program did not compute: ${JSON.stringify(outcome)}`);
      return [{ title: MARKS.loop.title, measured: busy, limit: 5, note: `idle: ${idle.toFixed(1)} ms` }];
    },
  },
  memory: {
    // V8 lets its young generation grow with the number of allocations, and keeps free pages. Both are bounded here, so that growth of
    // anything else is seen.
    arguments: ['--max-semi-space-size=1'],
    title: 'growth of memory over 100,000 runs, after as many, MiB',
    measure: async () => {
      const isobox = new Isobox({ tools: { echo: tool({ execute: async ({ n }) => n }) } });
      /** Runs 20 programs at once, so many times. Returns the memory then, in MiB. */
      const some = async (count) => {
        for (let i = 0; i < count; i++) {
          await Promise.all(Array.from({ length: 20 }, (_, n) => isobox.run(n % 2 ? 'return 1' : 'return await tools.echo({ n: 1 })')));
          if (i % 1000 === 999) {
            gc();
            await new Promise((resolve) => setTimeout(resolve, 300));
            gc();
          }
        }
        return privateKib() / 1024;
      };
      const before = await some(5_000);
      const after = await some(5_000);
      return [{ title: MARKS.memory.title, measured: after - before, limit: before * 0.05, note: `${before.toFixed(0)} MiB before; flat is within 5%` }];
    },
  },
  waiting: {
    title: 'memory of one of 1,000 waiting programs, KiB',
    measure: async () => {
      let arrived = 0;
      const isobox = new Isobox({
        tools: {
          wait: tool({
            execute: () => {
              arrived++;
              return new Promise(() => {});
            },
          }),
        },
        limits: { timeout: '10m' },
      });
      await isobox.run('return 1');
      gc();
      const before = privateKib();
      const runs = Array.from({ length: 1000 }, () => isobox.run(WAITING).catch(() => {}));
      while (arrived < 1000) await new Promise((resolve) => setTimeout(resolve, 10));
      gc();
      const each = (privateKib() - before) / 1000;
      await isobox.close();
      await Promise.all(runs);
      return [{ title: MARKS.waiting.title, measured: each, limit: 300 }];
    },
  },
  rust: {
    title: 'beside the library',
    measure: async () => {
      if (!existsSync(BENCH)) return [{ title: MARKS.rust.title, note: `${BENCH} is not there: build it, or name it with ISOBOX_BENCH` }];
      const input = { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'integer' } }, required: ['a', 'b'], additionalProperties: false };
      const isobox = new Isobox({ tools: { add: tool({ inputSchema: input, execute: ({ a, b }) => a + b }) } });
      const rounds = [];
      for (let i = 0; i < 5; i++) {
        const lines = execFileSync(BENCH, ['fresh', 'roundtrips3'], { encoding: 'utf8' }).trim().split('\n').map((line) => JSON.parse(line));
        const [one, three] = lines.map((line) => line.isobox.medianUs);
        rounds.push({ rust: { one, three }, node: { one: await median(isobox, RETURN_1), three: await median(isobox, ROUNDTRIPS_3) } });
      }
      const of = (figure) => middle(rounds.map(figure));
      const [rustOne, rustThree] = [of(({ rust }) => rust.one), of(({ rust }) => rust.three)];
      const [nodeOne, nodeThree] = [of(({ node }) => node.one), of(({ node }) => node.three)];
      const perCall = (nodeThree - rustThree - (nodeOne - rustOne)) / 3;
      const beside = (node, rust) => `${node.toFixed(1)} µs, Rust ${rust.toFixed(1)} µs`;
      return [
        { title: '`return 1`, µs more than Rust', measured: nodeOne - rustOne, limit: 40, note: beside(nodeOne, rustOne) },
        { title: 'a tool call, µs more than Rust', measured: perCall, limit: 25, note: `three: ${beside(nodeThree, rustThree)}` },
      ];
    },
  },
};

async function median(isobox, code) {
  const took = [];
  for (let i = 0; i < 5500; i++) {
    const start = performance.now();
    await isobox.run(code);
    if (i >= 500) took.push((performance.now() - start) * 1000);
  }
  return middle(took);
}

function middle(numbers) {
  return numbers.toSorted((one, other) => one - other)[numbers.length >> 1];
}

/** Returns the private memory of this process in KiB. */
function privateKib() {
  const text = readFileSync('/proc/self/smaps_rollup', 'utf8');
  const field = (name) => Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(text)?.[1] ?? 0);
  return field('Private_Clean') + field('Private_Dirty');
}

const [, , ...given] = process.argv;
if (given[0] === '--one') {
  process.stdout.write(JSON.stringify(await MARKS[given[1]].measure()), () => process.exit(0));
} else {
  let areMet = true;
  for (const name of given.length > 0 ? given : Object.keys(MARKS)) {
    if (!(name in MARKS)) throw new Error(`there is no mark ${name}; the marks are ${Object.keys(MARKS).join(', ')}`);
    const { stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', ...(MARKS[name].arguments ?? []), fileURLToPath(import.meta.url), '--one', name], { encoding: 'utf8' });
    if (stdout === '') console.log(`failed  ${MARKS[name].title}\n${stderr}`);
    areMet &&= stdout !== '';
    for (const { title, measured, limit, note } of JSON.parse(stdout || '[]')) {
      const isMet = measured !== undefined && measured !== null && measured < limit;
      areMet &&= isMet;
      const figure = measured === undefined ? '' : `: ${measured.toFixed(1)} (at most ${limit.toFixed(0)})`;
      console.log(`${isMet ? 'met   ' : 'missed'}  ${title}${figure}${note === undefined ? '' : `; ${note}`}`);
    }
  }
  console.log(`Node ${process.version}`);
  process.exitCode = areMet ? 0 : 1;
}
