// A server that runs programs, and keeps those that wait for an approval in a store. Any number of servers may share a PostgreSQL store.
// A server that is killed loses nothing: another one continues what it ran, and no call that was made is made again.
//
//   STORE=postgres://… PORT=3000 node server.mjs
//   curl -X POST localhost:3000/run -d 'return await tools.bank.pay({ to: "ada", euros: 30 })'
//   curl localhost:3000/pending
//   curl -X POST localhost:3000/approve -d '{ "id": "exec_…", "revision": 1, "by": "grace" }'
//
// Put authentication before it: who may approve is not its business.
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

import { serve } from '@hono/node-server';
import { Hono } from 'hono';

import { Isobox, IsoboxError, tool } from 'isobox';

/** A bank that keeps its payments in a file. Asked again with the same key, it pays nothing, like every good bank. */
const ledger = process.env.LEDGER ?? 'ledger.txt';
function book(line, key) {
  if (!existsSync(ledger) || !readFileSync(ledger, 'utf8').includes(`${key}\n`)) appendFileSync(ledger, `${line} ${key}\n`);
}

const isobox = new Isobox({
  store: process.env.STORE ?? 'sqlite:server.db',
  tools: {
    bank: {
      open: tool({
        description: 'Opens an account.',
        inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
        execute: ({ name }, { idempotencyKey }) => { book(`open ${name}`, idempotencyKey); return { account: name }; },
      }),
      pay: tool({
        description: 'Pays an amount.',
        inputSchema: { type: 'object', properties: { to: { type: 'string' }, euros: { type: 'number' } }, required: ['to', 'euros'] },
        needsApproval: true,
        // The key makes it safe to ask again if the server dies before the bank has answered.
        idempotent: true,
        execute: async ({ to, euros }, { idempotencyKey, attempt }) => {
          book(`pay ${to} ${euros}`, idempotencyKey);
          await wait(Number(process.env.BANK_TAKES_MS ?? 0));
          return { paid: euros, attempt };
        },
      }),
    },
  },
});

/** Marks the executions of this server, in a store that others use too. */
const label = { function: process.env.NAME ?? 'server.mjs' };
const own = async (states) => (await isobox.executions.list({ states, limit: 500 })).executions.filter((execution) => execution.function === label.function);

const idOf = (key) => `exec_${createHash('sha256').update(key).digest('hex').slice(0, 44)}`;

const app = new Hono();
app.post('/run', async (c) => {
  // A client that sends its request again, with the same key, gets the same execution.
  const key = c.req.header('idempotency-key');
  return c.json(await isobox.run(await c.req.text(), { label, ...(key && { id: idOf(key) }) }));
});
app.get('/pending', async (c) => c.json(await Promise.all((await own(['paused'])).map(async ({ id }) => (await isobox.executions.get(id)).outcome))));
app.post('/approve', async (c) => {
  const { id, revision, by } = await c.req.json();
  return c.json(await isobox.executions.approve(id, { revision, by }));
});
app.get('/executions/:id', async (c) => c.json(await isobox.executions.get(c.req.param('id'))));
app.onError((error, c) => c.json({ message: error.message, code: error.code }, error instanceof IsoboxError && error.code === 'CONFLICT' ? 409 : 400));

/** Continues what a dead server has left, and what was decided while no server ran. */
async function adopt() {
  for (const { id } of await own(['orphaned', 'decided'])) await isobox.executions.resume(id).catch((error) => console.error(id, error.message));
}
let adopting = false;
setInterval(async () => {
  if (adopting) return;
  adopting = true;
  await adopt().catch((error) => console.error(error.message));
  adopting = false;
}, 1000).unref();

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000), hostname: '127.0.0.1' }, ({ port }) => console.log(`listening on ${port}`));
