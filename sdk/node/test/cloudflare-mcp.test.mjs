// `isobox/cloudflare/mcp` beside the original, over transports in memory.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import test from 'node:test';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';

import { IsoboxExecutor } from 'isobox/cloudflare';
import * as ours from 'isobox/cloudflare/mcp';

import { originalMcp } from './cloudflare-original.mjs';

const executor = new IsoboxExecutor({ timeout: 20_000 });

/** A server with tools of every form of result. */
function upstream() {
  const server = new McpServer({ name: 'weather', version: '1.0.0' });
  const text = (value) => ({ content: [{ type: 'text', text: value }] });
  server.registerTool('get-weather', { description: 'The weather of a city.', inputSchema: { city: z.string(), days: z.number().optional(), metric: z.boolean().optional() } }, async ({ city }) => text(JSON.stringify({ city, celsius: city.length })));
  server.registerTool('typed', { inputSchema: {}, outputSchema: { n: z.number() } }, async () => ({ content: [{ type: 'text', text: 'ignored' }], structuredContent: { n: 3 } }));
  server.registerTool('text', {}, async () => text('plain text'));
  server.registerTool('lines', {}, async () => ({ content: [{ type: 'text', text: 'a' }, { type: 'text', text: 'b' }] }));
  server.registerTool('fails', {}, async () => ({ ...text('no such city'), isError: true }));
  server.registerTool('image', {}, async () => ({ content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] }));
  return server;
}

async function connected(server) {
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(near);
  return async (name, code) => {
    const { content, isError } = await client.callTool({ name, arguments: { code } });
    return { text: content[0].text, ...(isError && { isError }) };
  };
}

const CODE = {
  'JSON text': 'async () => codemode.get_weather({ city: "Rome" })',
  'structured content': 'async () => codemode.typed({})',
  'plain text': 'async () => codemode.text({})',
  'lines of text': 'async () => codemode.lines({})',
  'mixed content': 'async () => codemode.image({})',
  'an error that is caught': 'async () => { try { await codemode.fails({}) } catch (e) { return e.message } }',
  'an error': 'async () => codemode.fails({})',
  'an unknown tool': 'async () => codemode.nope({})',
  'a number': 'async () => 7',
  'an invalid input': 'async () => { try { await codemode.get_weather({ city: 7 }) } catch (e) { return e.message.includes("city") } }',
  'a long text': 'async () => "x".repeat(30000)',
  'an object that is too long': 'async () => ({ a: "x".repeat(30000), b: 1 })',
};

/** Where Isobox differs, and why. Strict. */
const CODE_DIFFERENCES = {
  'an object that is too long': ['the text is cut at its end, as the reference says; 0.5.6 cuts values', /^\{\n  "a": "x+\n\n--- TRUNCATED ---/],
};

async function compare(results, differences, name) {
  const [mine, theirs] = results;
  if (differences[name] === undefined) return assert.deepEqual(mine, theirs);
  const [reason, expected] = differences[name];
  assert.match(mine.text, expected);
  return assert.notDeepEqual(mine, theirs, `a listed difference is gone: ${reason}`);
}

for (const [name, code] of Object.entries(CODE)) {
  test(`codeMcpServer agrees with the original, or differs as listed: ${name}`, async () => {
    const results = await Promise.all([ours, originalMcp].map(async ({ codeMcpServer }) => (await connected(await codeMcpServer({ server: upstream(), executor })))('code', code)));
    await compare(results, CODE_DIFFERENCES, name);
    assert(results[0].text.length < 25_000);
  });
}

test('a description has types and an example of the first tool', async () => {
  for (const { codeMcpServer } of [ours, originalMcp]) {
    const server = await codeMcpServer({ server: upstream(), executor, description: 'T: {{types}} E: {{example}}' });
    const [near, far] = InMemoryTransport.createLinkedPair();
    await server.connect(far);
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(near);
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map(({ name }) => name), ['code']);
    assert.deepEqual(tools[0].inputSchema.required, ['code']);
    assert.match(tools[0].description, /declare const codemode: \{[^]*get_weather/);
    assert.match(tools[0].description, /E: Example: async \(\) => \{ const r = await codemode\.get_weather\(\{ city: "\.\.\.", days: 0, metric: true \}\); return r; \}$/);
  }
});

test('tools of all pages are there', async () => {
  const server = new McpServer({ name: 'pages', version: '1.0.0' });
  server.registerTool('first', {}, async () => ({ content: [{ type: 'text', text: '1' }] }));
  const { ListToolsRequestSchema } = await import('@modelcontextprotocol/sdk/types.js');
  const tool = (name) => ({ name, inputSchema: { type: 'object' } });
  server.server.setRequestHandler(ListToolsRequestSchema, ({ params }) => (params?.cursor === 'b' ? { tools: [tool('second')] } : { tools: [tool('first')], nextCursor: 'b' }));
  const ask = await connected(await ours.codeMcpServer({ server, executor }));
  assert.equal((await ask('code', 'async () => typeof codemode.second')).text, 'function');
  assert.equal((await ask('code', 'async () => codemode.first({})')).text, '1');
  assert.match((await ask('code', 'async () => codemode.second({})')).text, /second/);
});

const SPEC = {
  openapi: '3.0.0',
  info: { title: 'Pets', version: '1' },
  paths: {
    '/pets': {
      get: { tags: ['pets'], summary: 'Lists pets.', parameters: [{ $ref: '#/components/parameters/Limit' }], responses: { 200: { description: 'ok', content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } } } },
      post: { requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } } },
    },
    '/a~b': { get: { schema: { $ref: '#/paths/~1pets/get/summary' }, other: { $ref: 'https://elsewhere.example/x.json' }, none: { $ref: '#/components/none' } } },
  },
  components: {
    parameters: { Limit: { name: 'limit', in: 'query', schema: { type: 'integer' } } },
    schemas: { Pet: { type: 'object', properties: { name: { type: 'string' }, friends: { type: 'array', items: { $ref: '#/components/schemas/Pet' } }, owner: { $ref: '#/components/schemas/Owner' } } }, Owner: { type: 'object', properties: { pet: { $ref: '#/components/schemas/Pet' } } } },
  },
};

const OPENAPI = {
  'paths': ['search', 'async () => Object.keys((await codemode.spec()).paths)'],
  'a reference': ['search', 'async () => (await codemode.spec()).paths["/pets"].get.parameters[0].name'],
  'references that are circular, foreign, missing and escaped': ['search', 'async () => { const { paths } = await codemode.spec(); return [paths["/pets"].post.requestBody.content["application/json"].schema, paths["/a~b"].get] }'],
  'one document for every call': ['search', 'async () => (await codemode.spec()) === (await codemode.spec())'],
  'no requests while searching': ['search', 'async () => typeof codemode.request'],
  'a statement': ['search', 'return 3'],
  'a request': ['execute', 'async () => codemode.request({ method: "POST", path: "/pets", query: { a: 1 }, body: { name: "Rex" } })'],
  'the document and a request': ['execute', 'async () => { const s = await codemode.spec(); return codemode.request({ method: "GET", path: Object.keys(s.paths)[0] }) }'],
  'a request that fails': ['execute', 'async () => codemode.request({ method: "GET", path: "/fails" })'],
  'a thrown error': ['execute', 'async () => { throw new Error("bad") }'],
  'a long text': ['execute', 'async () => "y".repeat(30000)'],
  'no result': ['execute', 'async () => {}'],
};
const OPENAPI_DIFFERENCES = {};

for (const [name, [tool, code]] of Object.entries(OPENAPI)) {
  test(`openApiMcpServer agrees with the original, or differs as listed: ${name}`, async () => {
    const request = async (options, context) => {
      if (options.path === '/fails') throw new Error('403 from the API');
      assert(context.signal instanceof AbortSignal);
      return { options };
    };
    const results = await Promise.all([ours, originalMcp].map(async ({ openApiMcpServer }) => (await connected(openApiMcpServer({ spec: SPEC, executor, request })))(tool, code)));
    await compare(results, OPENAPI_DIFFERENCES, name);
  });
}

test('an OpenAPI server has its name, version and description', async () => {
  for (const { openApiMcpServer } of [ours, originalMcp]) {
    const client = new Client({ name: 'test', version: '1.0.0' });
    const [near, far] = InMemoryTransport.createLinkedPair();
    await openApiMcpServer({ spec: SPEC, executor, request: async () => 1, description: 'Use the key.' }).connect(far);
    await client.connect(near);
    assert.deepEqual([client.getServerVersion().name, client.getServerVersion().version], ['openapi', '1.0.0']);
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map(({ name }) => name), ['search', 'execute']);
    assert.match(tools[1].description, /Use the key\.$/);
    assert.match(tools[0].description, /codemode: \{\s+spec\(\)/);
  }
});

test('a document whose references double at every level takes no more than its text', async () => {
  const schemas = {};
  for (let level = 0; level < 40; level++) schemas[`S${level}`] = { a: { $ref: `#/components/schemas/S${level + 1}` }, b: { $ref: `#/components/schemas/S${level + 1}` } };
  const ask = await connected(ours.openApiMcpServer({ spec: { openapi: '3.0.0', paths: {}, components: { schemas } }, executor, request: async () => 1 }));
  assert.equal((await ask('search', 'async () => { let s = (await codemode.spec()).components.schemas.S0; for (let i = 0; i < 39; i++) s = s.b; return Object.keys(s) }')).text, '[\n  "a",\n  "b"\n]');
});

test('CommonJS and ES modules have the same functions', () => {
  const common = createRequire(import.meta.url)('isobox/cloudflare/mcp');
  assert.deepEqual(Object.keys(common).sort(), Object.keys(ours).sort());
});

test('wrong options are named', async () => {
  const wrong = (message) => (error) => error instanceof TypeError && error.message.includes(message);
  await assert.rejects(ours.codeMcpServer({ server: 7, executor }), wrong('`server` is 7; expected an McpServer'));
  await assert.rejects(ours.codeMcpServer({ server: upstream() }), wrong('`executor` is undefined'));
  assert.throws(() => ours.openApiMcpServer({ spec: 'x', executor, request: async () => 1 }), wrong('`spec` is "x"; expected an OpenAPI document'));
  assert.throws(() => ours.openApiMcpServer({ spec: SPEC, executor }), wrong('`request` is undefined; expected a function'));
  assert.throws(() => ours.openApiMcpServer({ spec: SPEC, executor, request: async () => 1, name: 3 }), wrong('`name` is 3; expected a string'));
});
