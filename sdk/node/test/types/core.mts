// What TypeScript infers. Compiled, never run.
import { Isobox, type Outcome, TimeoutError, interrupt, tool, unwrap } from 'isobox';
import { type } from 'arktype';
import * as v from 'valibot';
import { z } from 'zod';
import { z as z3 } from 'zod3';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function expect<_T extends true>(): void {}

const zod = tool({
  inputSchema: z.object({ to: z.string(), size: z.number().default(1) }),
  outputSchema: z.object({ id: z.string() }),
  execute: (input, context) => {
    expect<Same<typeof input, { to: string; size: number }>>();
    expect<Same<typeof context.signal, AbortSignal>>();
    return { id: input.to };
  },
});

tool({ inputSchema: z3.object({ n: z3.string().transform(Number) }), execute: ({ n }) => { expect<Same<typeof n, number>>(); } });
tool({ inputSchema: v.object({ n: v.optional(v.number(), 1) }), execute: ({ n }) => { expect<Same<typeof n, number>>(); } });
tool({ inputSchema: type({ n: 'number = 1' }), execute: ({ n }) => { expect<Same<typeof n, number>>(); } });
tool({ inputSchema: { type: 'object' }, execute: (input) => input.anything });
tool({ async *execute() { yield 1; } });
tool({ execute: () => interrupt({ kind: 'login' }) });

tool({
  outputSchema: z.object({ id: z.string() }),
  // @ts-expect-error the result does not fit the output schema
  execute: () => ({ id: 7 }),
});
// @ts-expect-error there is no such option
tool({ parameters: {}, execute: () => 1 });

const isobox = new Isobox({ tools: { mail: { send: zod } }, store: 'sqlite:x.db', approve: ({ path }) => (path === 'mail.send' ? 'approved' : { approved: false, reason: 'no' }) });

async function outcomes(): Promise<void> {
  await using closing = isobox;
  const outcome: Outcome<number> = await closing.run<number>('return 1');
  switch (outcome.status) {
    case 'completed':
      expect<Same<typeof outcome.result, number>>();
      break;
    case 'paused':
      expect<Same<typeof outcome.revision, number>>();
      await closing.executions.approve(outcome.executionId, { revision: outcome.revision });
      break;
    case 'failed':
      expect<Same<typeof outcome.error.message, string>>();
      // @ts-expect-error a failed outcome has no result
      outcome.result;
      break;
    case 'sleeping':
    case 'interrupted':
    case 'rolled_back':
      break;
    default:
      outcome satisfies never;
  }
  expect<Same<ReturnType<typeof unwrap<number>>, number>>();
  for await (const event of closing.start('return 1')) event.type satisfies string;
  const snippet = await closing.snippets.save('total', { from: outcome.executionId, inputSchema: z.object({ month: z.string() }), examples: [{ input: {}, shape: 1 }] });
  expect<Same<typeof snippet.trust, 'untrusted' | 'provisional' | 'trusted'>>();
  const ran = await closing.snippets.run<number>('total', { month: '2026-11' }, { globals: 'refuse', session: 's' });
  expect<Same<typeof ran, Outcome<number>>>();
  // @ts-expect-error the execution is missing
  await closing.snippets.save('total', {});
  // @ts-expect-error an example has a result or a shape
  await closing.snippets.put('total', 'return 1', { examples: [{ input: 1 }] });
  new Isobox({ modules: { csv: { source: '' }, rates: { value: 1 }, file: './a.ts' }, rules: [{ deny: 'syntax', names: ['while'] }], timing: { leaseMs: 1000 } });
  // @ts-expect-error a rule allows or denies
  new Isobox({ rules: [{ names: ['while'] }] });
  for (const { code, certain } of await closing.check('return 1')) (certain satisfies boolean, code satisfies string);
  const replay = await closing.executions.replay(outcome.executionId);
  replay.end satisfies 'same' | 'ended-from-outside' | 'not-over' | 'stopped';
  await closing.executions.fork({ transcript: '' }, { before: '0', result: 1, program: { 'main.ts': '' } });
  // @ts-expect-error there is no such option
  await closing.run('return 1', { timeout: 5 });
  new Error() instanceof TimeoutError;
}
void outcomes;
