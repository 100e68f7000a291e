// A server that runs programs, and keeps those that wait for an approval in a store. Any number of them may share a PostgreSQL store.
//
//   STORE=sqlite:approvals.db PORT=3000 node approvals.mjs
//   curl -X POST localhost:3000/run -d 'return await tools.mail.send({ to: "ada" })'
//   curl localhost:3000/pending
//   curl -X POST localhost:3000/approve -d '{ "id": "exec_…", "revision": 1, "by": "grace" }'
import { createServer } from 'node:http';

import { Isobox, IsoboxError, tool } from 'isobox';

const isobox = new Isobox({
  store: process.env.STORE ?? 'sqlite:approvals.db',
  tools: {
    mail: {
      send: tool({
        description: 'Sends a letter.',
        inputSchema: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
        needsApproval: true,
        execute: ({ to }, { idempotencyKey }) => ({ sent: to, key: idempotencyKey }),
      }),
    },
  },
});

const ROUTES = {
  'POST /run': async (body) => isobox.run(body),
  'GET /pending': async () => {
    const { executions } = await isobox.executions.list({ states: ['paused'] });
    return Promise.all(executions.map(async ({ id }) => (await isobox.executions.get(id)).outcome));
  },
  'POST /approve': async (body) => {
    const { id, revision, by } = JSON.parse(body);
    return isobox.executions.approve(id, { revision, by });
  },
};

const server = createServer(async (request, response) => {
  const answer = (status, value) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  const route = ROUTES[`${request.method} ${request.url}`];
  if (route === undefined) return answer(404, { message: 'not found' });
  try {
    let body = '';
    for await (const part of request) body += part;
    answer(200, await route(body));
  } catch (error) {
    answer(error instanceof IsoboxError && error.code === 'CONFLICT' ? 409 : 400, { message: error.message, code: error.code });
  }
});
server.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () => console.log(`listening on ${server.address().port}`));
