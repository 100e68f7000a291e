// Connectors, modules, types and tool providers of `isobox/cloudflare` beside those of the original.
import assert from 'node:assert/strict';
import test from 'node:test';

import { toolDefinition } from '@tanstack/ai';
import ts from 'typescript';
import { tool } from 'ai';
import { z } from 'zod';

import * as ours from 'isobox/cloudflare';
import * as oursAi from 'isobox/cloudflare/ai';
import * as oursBrowser from 'isobox/cloudflare/browser';
import * as oursTanstack from 'isobox/cloudflare/tanstack-ai';

import { original, originalAi, originalBrowser, originalTanstack } from './cloudflare-original.mjs';

const executor = new ours.IsoboxExecutor({ timeout: 20_000 });

/** Defines a connector with the base class of each package. */
function both(name, run) {
  for (const [subject, module] of [['isobox/cloudflare', ours], ['the original', original]]) test(`${subject}: ${name}`, (t) => run(module, t, module === ours));
}

const MCP_TOOLS = [
  { name: 'list-issues', description: 'Lists issues.', inputSchema: { type: 'object', properties: { repo: { type: 'string' } }, required: ['repo'] }, outputSchema: { type: 'object', properties: { n: { type: 'number' } } } },
  { name: 'text', inputSchema: { type: 'object' } },
];

/** A connection whose calls are recorded. */
function connection(more) {
  const calls = [];
  const results = {
    'list-issues': { content: [], structuredContent: { n: 2 } },
    text: { content: [{ type: 'text', text: '[1,2]' }] },
    plain: { content: [{ type: 'text', text: 'no JSON' }] },
    old: { toolResult: 5 },
    image: { content: [{ type: 'image', data: 'AA==', mimeType: 'image/png' }] },
    empty: { content: [] },
    fails: { isError: true, content: [{ type: 'text', text: 'not found' }] },
    'fails-silently': { isError: true, content: [] },
  };
  return { calls, client: { callTool: async (call) => { calls.push(call); return results[call.name]; } }, instructions: 'Be kind.', tools: MCP_TOOLS, ...more };
}

function mcpConnector({ McpConnector }, made, more = {}) {
  return new (class extends McpConnector {
    name() { return 'github'; }
    instructions() { return 'Use for GitHub.'; }
    createConnection() { made.created = (made.created ?? 0) + 1; return made; }
    tool(name, one) { return name === 'text' ? { ...one, requiresApproval: true } : one; }
    toolName(one) { return more.toolName?.(one) ?? super.toolName(one); }
  })({}, {});
}

const plain = (value) => JSON.parse(JSON.stringify(value));

test('both describe an MCP connection alike', async () => {
  const [mine, theirs] = await Promise.all([ours, original].map(async (module) => plain(await mcpConnector(module, connection()).describe())));
  assert.deepEqual(mine, theirs);
  assert.equal(mine.instructions, 'Be kind.\n\nUse for GitHub.');
  assert.deepEqual(mine.annotations, { text: { requiresApproval: true } });
});

both('calls of MCP tools give plain values', async (module) => {
  const made = connection();
  const connector = mcpConnector(module, made);
  assert.deepEqual(await connector.executeTool('list_issues', { repo: 'a/b' }), { n: 2 });
  assert.deepEqual(await connector.executeTool('text', {}), [1, 2]);
  assert.deepEqual(made.calls, [{ name: 'list-issues', arguments: { repo: 'a/b' } }, { name: 'text', arguments: {} }]);
  assert.equal(made.created, 1);
  await assert.rejects(connector.executeTool('nope', {}), /Tool "nope" not found on github/);
});

both('every form of an MCP result', async (module) => {
  const names = ['plain', 'old', 'image', 'empty', 'fails', 'fails-silently'];
  const connector = mcpConnector(module, connection({ tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })) }));
  const results = await Promise.all(names.map((name) => connector.executeTool(name.replace('-', '_'), {}).catch((error) => `threw ${error.message}`)));
  assert.deepEqual(results, ['no JSON', 5, { content: [{ type: 'image', data: 'AA==', mimeType: 'image/png' }] }, { content: [] }, 'threw not found', 'threw Tool call failed']);
});

both('tools are fetched if none are given', async (module) => {
  const connector = mcpConnector(module, connection({ tools: [], fetchTools: async () => MCP_TOOLS }));
  assert.deepEqual(Object.keys((await connector.describe()).descriptors), ['list_issues', 'text']);
  assert.deepEqual((await mcpConnector(module, connection({ tools: undefined })).describe()).descriptors, {});
});

both('two MCP tools with one name are refused, unless toolName tells them apart', async (module) => {
  const tools = [{ name: 'a-b', inputSchema: { type: 'object' } }, { name: 'a.b', inputSchema: { type: 'object' } }];
  await assert.rejects(mcpConnector(module, connection({ tools })).describe(), /MCP tools "a-b" and "a\.b" on github both map to "a_b"\. Override toolName\(\)/);
  const named = mcpConnector(module, connection({ tools }), { toolName: ({ name }) => name.replace('-', '_dash_').replace('.', '_dot_') });
  assert.deepEqual(Object.keys((await named.describe()).descriptors), ['a_dash_b', 'a_dot_b']);
});

test('an MCP connection is asked again after a failure, and checked', async () => {
  let attempts = 0;
  const made = connection();
  const connector = mcpConnector({ McpConnector: class extends ours.McpConnector { } }, made);
  connector.createConnection = () => { if (++attempts === 1) throw new Error('refused'); return made; };
  await assert.rejects(connector.describe(), /refused/);
  assert.equal((await connector.describe()).name, 'github');
  await assert.rejects(mcpConnector(ours, { client: 7 }).describe(), (error) => error instanceof TypeError && /createConnection\(\) returned \{"client":7.*expected \{ client \}/.test(error.message));
});

const SPEC = {
  openapi: '3.0.3',
  info: { title: 'Repositories', version: '1' },
  paths: {
    '/repos/{owner}/{repo}': {
      get: {
        operationId: 'get-repository',
        summary: 'Returns a repository.',
        parameters: [
          { name: 'owner', in: 'path', required: true, description: 'Who owns it.', schema: { type: 'string' } },
          { name: 'repo', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'fields', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
          { name: 'X-Trace', in: 'header', schema: { type: 'integer' } },
        ],
      },
      put: { description: 'Changes one.', parameters: [{ name: 'owner', in: 'path', required: true, schema: { type: 'string' } }, { name: 'repo', in: 'path', required: true, schema: { type: 'string' } }], requestBody: { required: true, content: { 'application/json': { schema: { $ref: '#/components/schemas/Change' } } } } },
    },
    '/repos': { get: { operationId: 'get-repository' }, post: { operationId: 'request' }, delete: {} },
  },
  components: { schemas: { Change: { type: 'object', properties: { name: { type: 'string', description: 'The new name.' }, labels: { type: 'array', items: { $ref: '#/components/schemas/Label' } } }, required: ['name'] }, Label: { type: 'object', properties: { color: { enum: ['red', 'blue'] } }, required: ['color'] } } },
};

function openApiConnector({ OpenApiConnector }, spec, { exposes = false, requests = [] } = {}) {
  return new (class extends OpenApiConnector {
    name() { return 'api'; }
    spec() { return spec; }
    exposeSpec() { return exposes; }
    async request(options) { requests.push(options); return { ok: true }; }
  })({}, {});
}

const OPERATIONS = ['request', 'get_repository', 'put_reposownerrepo', 'delete_repos'];

both('every operation is a method, except those whose names are taken', async (module, t) => {
  const warned = t.mock.method(console, 'warn', () => {});
  const { descriptors } = await openApiConnector(module, SPEC).describe();
  assert.deepEqual(Object.keys(descriptors).sort(), [...OPERATIONS].sort());
  assert.equal(warned.mock.callCount(), 2);
  assert.deepEqual(['get_repository', 'put_reposownerrepo', 'delete_repos'].map((name) => descriptors[name].description), ['Returns a repository.', 'Changes one.', 'DELETE /repos']);
  assert.deepEqual(Object.keys((await openApiConnector(module, structuredClone(SPEC), { exposes: true }).describe()).descriptors).sort(), [...OPERATIONS, 'spec'].sort());
});

const REQUESTS = {
  'path, query and header': ['get_repository', { owner: 'a/b', repo: 'c', fields: ['x'], 'X-Trace': 7 }],
  'a body': ['put_reposownerrepo', { owner: 'a', repo: 'b', body: { name: 'n' } }],
  'no parameters': ['delete_repos', {}],
  'no input': ['delete_repos', undefined],
  'a request by hand': ['request', { path: '/x', method: 'PATCH', params: { a: 1 } }],
  'a property that no parameter has': ['delete_repos', { other: 1 }],
  'a missing path parameter': ['get_repository', { owner: 'a' }],
  'a path that climbs': ['get_repository', { owner: '..', repo: '..' }],
  'a value with a placeholder': ['get_repository', { owner: '$&', repo: 'c' }],
};

/** Where Isobox differs, and why. Strict. */
const REQUEST_DIFFERENCES = {
  'a missing path parameter': ['no request with a placeholder in its path', 'get_repository: the path parameter "repo" is undefined; expected a segment of a path'],
  'a path that climbs': ['a value cannot change the path', 'get_repository: the path parameter "owner" is ".."; expected a segment of a path'],
};

for (const [name, [method, input]] of Object.entries(REQUESTS)) {
  test(`both make the same request, or differ as listed: ${name}`, async (t) => {
    t.mock.method(console, 'warn', () => {});
    const [mine, theirs] = await Promise.all([ours, original].map(async (module) => {
      const requests = [];
      const error = await openApiConnector(module, SPEC, { requests }).executeTool(method, input).then(() => undefined, ({ message }) => message);
      return error ?? requests;
    }));
    if (REQUEST_DIFFERENCES[name] === undefined) return assert.deepEqual(mine, theirs);
    assert.equal(mine, REQUEST_DIFFERENCES[name][1]);
    return assert.notDeepEqual(mine, theirs, 'a listed difference is gone');
  });
}

/** Returns the names of pairs of declarations, of `A` and of `B`, whose types are not the same in TypeScript. */
function different(pairs) {
  const names = Object.keys(pairs);
  const text = names.map((name) => `namespace ${name} {\n${pairs[name].join(';\n')};\nexport const same: Same<Flat<A>, Flat<B>> = true;\n}`);
  text.unshift('type Flat<T> = T extends object ? { [K in keyof T]: Flat<T[K]> } : T;\ntype Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;');
  const starts = text.map((_, index) => text.slice(0, index).join('\n').length);
  const host = ts.createCompilerHost({});
  const read = host.getSourceFile;
  host.getSourceFile = (file, ...more) => (file === 'types.ts' ? ts.createSourceFile(file, text.join('\n'), ts.ScriptTarget.ES2022) : read(file, ...more));
  const program = ts.createProgram(['types.ts'], { strict: true, noEmit: true, types: [], lib: ['lib.es2022.d.ts'], target: ts.ScriptTarget.ES2022 }, host);
  return [...new Set(ts.getPreEmitDiagnostics(program).map(({ start }) => names[starts.findLastIndex((from) => from <= start) - 1]))];
}

const SCHEMAS = {
  text: { type: 'string' }, number: { type: 'integer' }, truth: { type: 'boolean' }, nothing: { type: 'null' },
  several: { type: ['string', 'null'] }, values: { enum: ['a', 1, null, true] }, constant: { const: 'x' }, none: { enum: [] },
  list: { type: 'array', items: { type: 'number' } }, tuple: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] }, any: { type: 'array' },
  object: { type: 'object', properties: { a: { type: 'string', description: 'A.' }, 'b-c': { type: 'number' } }, required: ['a'] },
  nested: { type: 'object', properties: { a: { type: 'object', properties: { b: { type: 'array', items: { type: 'object', properties: { c: { type: 'string' } } } } } } } },
  map: { type: 'object', additionalProperties: { type: 'number' } }, open: { type: 'object' },
  either: { anyOf: [{ type: 'string' }, { type: 'number' }] }, one: { oneOf: [{ type: 'string' }, { type: 'null' }] },
  all: { allOf: [{ type: 'object', properties: { a: { type: 'string' } } }, { type: 'object', properties: { b: { type: 'number' } } }] },
  reference: { type: 'object', properties: { a: { $ref: '#/$defs/A' } }, $defs: { A: { type: 'string' } } },
  draft7: { $ref: '#/definitions/A', definitions: { A: { type: 'object', properties: { n: { type: 'number' } } } } },
  nullable: { type: 'string', nullable: true }, anything: {}, yes: true, never: false, missing: { $ref: '#/none' }, foreign: { $ref: 'https://x.example/y' },
  recursive: { type: 'object', properties: { next: { $ref: '#' } } }, exact: { type: 'object', additionalProperties: false },
};

/** Where the types differ, and why. Strict. */
const TYPE_DIFFERENCES = { none: 'an empty enum is not a JSON Schema, and is `unknown`', exact: 'an object that has no properties is `Record<string, never>`, which nothing else fits' };

test('jsonSchemaToType gives the same types as the original, or differs as listed', () => {
  const pairs = Object.fromEntries(Object.entries(SCHEMAS).map(([name, schema]) => [name, [ours.jsonSchemaToType(schema, 'A'), original.jsonSchemaToType(schema, 'B')]]));
  assert.deepEqual(different(pairs), Object.keys(TYPE_DIFFERENCES));
  assert.equal(ours.jsonSchemaToType({ type: 'object', properties: { a: { type: 'string', description: 'A.' } } }, 'T'), 'type T = {\n  /** A. */\n  a?: string;\n}');
  assert.equal(ours.jsonSchemaToType({ type: 7 }, 'T'), 'type T = unknown');
  assert.throws(() => ours.jsonSchemaToType({}, 'a b'), (error) => error instanceof TypeError && /`typeName` is "a b"/.test(error.message));
});

const pet = { $ref: '#/components/schemas/Pet' };
const DOCUMENT = {
  openapi: '3.0.3',
  paths: {
    '/same/{id}': { get: { operationId: 'parameters', parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } }, { name: 'q', in: 'query', schema: { $ref: '#/components/schemas/Query' } }] } },
    '/body': { post: { operationId: 'body', requestBody: { required: true, content: { 'application/json': { schema: { $ref: '#/components/schemas/Query' } } } } } },
    '/xml': { post: { operationId: 'xml', requestBody: { content: { 'application/xml': { schema: { type: 'string' } } } } } },
    '/all': { post: { operationId: 'combined', requestBody: { content: { 'application/json': { schema: { allOf: [{ $ref: '#/components/schemas/Query' }, { type: 'object', properties: { b: { type: 'boolean' } } }] } } } } } },
    '/nullable': { post: { operationId: 'nullable', requestBody: { content: { 'application/json': { schema: { type: 'object', properties: { a: { type: 'string', nullable: true } } } } } } } },
    '/path/{id}': { parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }], get: { operationId: 'ofPath' } },
    '/reference': { get: { operationId: 'reference', parameters: [{ $ref: '#/components/parameters/Limit' }] } },
    '/reference-body': { post: { operationId: 'referenceBody', requestBody: { $ref: '#/components/requestBodies/Query' } } },
    '/recursive': { post: { operationId: 'recursive', requestBody: { content: { 'application/json': { schema: pet } } } } },
    '/cookie': { get: { operationId: 'cookie', parameters: [{ name: 'session', in: 'cookie', schema: { type: 'string' } }] } },
    '/foreign': { post: { operationId: 'foreign', requestBody: { content: { 'application/json': { schema: { $ref: 'other.json#/Pet' } } } } } },
    '/pattern': { get: { operationId: 'pattern', parameters: [{ name: 'id', in: 'query', required: true, schema: { type: 'string', pattern: '[\\p{Alnum}&&[^x]]++(' } }] } },
    '/invalid': { post: { operationId: 'invalid', requestBody: { content: { 'application/json': { schema: { type: 'object', required: true, properties: { a: { type: 'string' } } } } } } } },
  },
  components: {
    parameters: { Limit: { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 0, exclusiveMinimum: true } } },
    requestBodies: { Query: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Query' } } } } },
    schemas: { Query: { type: 'object', properties: { a: { type: 'string' }, n: { type: 'array', items: { type: 'number' } } }, required: ['a'] }, Pet: { type: 'object', properties: { name: { type: 'string' }, friend: pet } } },
  },
};

/** Where inputs of operations differ, and why. Strict. */
const INPUT_DIFFERENCES = {
  ofPath: 'parameters of a path belong to its operations',
  reference: 'parameters may be references',
  referenceBody: 'bodies may be references',
  recursive: 'a recursive type stays what it is',
  cookie: 'a cookie is never sent, and is not asked for',
  foreign: 'what is in another file may be anything',
  invalid: 'a schema that is none is an open object: the service checks it',
  pattern: 'patterns are left to the service: that of the original is not one of JSON Schema',
};

test('inputs of operations have the same types as those of the original, or differ as listed', async () => {
  const [mine, theirs] = await Promise.all([ours, original].map(async (module) => (await openApiConnector(module, DOCUMENT).describe()).descriptors));
  assert.deepEqual(Object.keys(mine).sort(), Object.keys(theirs).sort());
  const pairs = Object.fromEntries(Object.keys(mine).map((name) => [name, [ours.jsonSchemaToType(mine[name].inputSchema, 'A'), ours.jsonSchemaToType(theirs[name].inputSchema, 'B')]]));
  assert.deepEqual(different(pairs).sort(), Object.keys(INPUT_DIFFERENCES).sort());
  assert.deepEqual(mine.reference.inputSchema.properties.limit, { type: 'integer', exclusiveMinimum: 0 });
  assert.deepEqual(mine.recursive.inputSchema.$defs.Pet.properties.friend, { $ref: '#/$defs/Pet' });
  assert.deepEqual(mine.pattern.inputSchema.properties.id, { type: 'string' }, 'the service checks patterns');
  assert.deepEqual(mine.nullable.inputSchema.properties.body.properties.a, { type: ['string', 'null'] });
});

test('documents that are cyclic objects, or not documents, do no harm', async () => {
  const cyclic = structuredClone(DOCUMENT);
  cyclic.components.schemas.Pet.properties.friend = cyclic.components.schemas.Pet;
  assert((await openApiConnector(ours, cyclic).describe()).descriptors.recursive);
  assert.deepEqual(Object.keys((await openApiConnector(ours, { paths: { '/x': null, '/y': { get: 7 } } }).describe()).descriptors), ['request']);
  await assert.rejects(openApiConnector(ours, 'x').describe(), (error) => error instanceof TypeError && /api: spec\(\) returned "x"; expected an OpenAPI document/.test(error.message));
});

test('programs of the runtime use MCP and OpenAPI connectors, find them, and wait for approval', async () => {
  const made = connection();
  const requests = [];
  const runtime = ours.createCodemodeRuntime({ connectors: [mcpConnector(ours, made), openApiConnector(ours, DOCUMENT, { requests })] });
  const { execute } = runtime.tool();
  const done = await execute({ code: 'async () => [await github.list_issues({ repo: "a" }), await api.recursive({ body: { friend: { name: "x" } } }), await api.nullable({ body: { a: null } }), await api.ofPath({ id: "7" })]' });
  assert.deepEqual(done.result, [{ n: 2 }, { ok: true }, { ok: true }, { ok: true }]);
  assert.deepEqual(requests, [{ path: '/recursive', method: 'POST', body: { friend: { name: 'x' } } }, { path: '/nullable', method: 'POST', body: { a: null } }, { path: '/path/7', method: 'GET' }]);
  const wrong = await execute({ code: 'async () => api.recursive({ body: { friend: { name: 7 } } })' });
  assert.match(wrong.error, /name/);
  const found = await execute({ code: 'async () => { const { results } = await codemode.search("list issues"); const { path, connector, method, kind } = results[0]; return [path, connector, method, kind, (await codemode.describe(path)).kind, (await codemode.describe("github")).types, await codemode.describe("nothing.here")] }' });
  assert.deepEqual(found.result.slice(0, 5), ['github.list_issues', 'github', 'list_issues', 'method', 'method']);
  assert.match(found.result[5], /^declare const github: \{[^]*list_issues[^]*\};$/);
  assert.deepEqual(found.result[6], { path: 'nothing.here', types: '"nothing.here" not found.', kind: 'method' });
  const paused = await execute({ code: 'async () => github.text({})' });
  assert.deepEqual(paused.pending.map(({ connector, method }) => [connector, method]), [['github', 'text']]);
  assert.deepEqual((await runtime.approve(paused)).result, [1, 2]);
  assert.deepEqual((await runtime.executions())[0].connectors, ['github', 'api']);
  assert.equal((await runtime.executions())[0].code, 'async () => github.text({})');
});

test('programs import modules by specifier and by path, in the executor and in the runtime', async () => {
  const modules = { 'lib.js': 'export const twice = (n) => n * 2;', '@acme/names': 'import { twice } from "lib.js"; export default (n: number): string => `n${twice(n)}`;', 'rates.json': '{ "euro": 2 }', './near.js': 'export const near = 1;', 'executor.js': 'throw new Error("reserved")' };
  const withModules = new ours.IsoboxExecutor({ modules });
  const run = async (code) => { const { result, error } = await withModules.execute(code, [{ name: 'codemode', fns: { add: async (a, b) => a + b } }]); return result ?? error; };
  const code = 'async () => { const { twice } = await import("lib.js"); const { default: name } = await import("@acme/names"); return [twice(4), name(3)] }';
  assert.deepEqual(await run(code), [8, 'n6']);
  assert.deepEqual(await run('async () => [(await import("rates.json")).default.euro, (await import("./near.js")).near, await codemode.add(1, 2)]'), [2, 1, 3]);
  const runtime = ours.createCodemodeRuntime({ connectors: [], executor: withModules });
  assert.deepEqual((await runtime.tool().execute({ code })).result, [8, 'n6']);
});

test('a module that is wrong fails every execution with its name, and wrong options are named', async () => {
  const broken = new ours.IsoboxExecutor({ modules: { 'lib.js': 'export const = 1' } });
  assert.match((await broken.execute('async () => 1', [])).error, /lib\.js/);
  const wrong = (options, message) => assert.throws(() => new ours.IsoboxExecutor(options), (error) => error instanceof TypeError && error.message.includes(message), message);
  wrong({ modules: ['x'] }, '`modules` is ["x"]; expected an object of sources by specifier');
  wrong({ modules: { 'a.json': '{' } }, '`modules["a.json"]` is "{"; expected JSON');
  wrong({ modules: { a: 7 } }, '`modules["a"]` is 7; expected its source');
  wrong({ globalOutbound: 'x' }, '`globalOutbound` is "x"; expected null, or an object with the method fetch');
  wrong({ bindings: { KV: 1 } }, '`bindings` is {"KV":1}; expected nothing: give programs tools instead');
  wrong({ timeout: -1 }, '`timeout` is -1; expected a number above 0');
  wrong({ timeuot: 1 }, 'did you mean `timeout`?');
  assert.equal(ours.DynamicWorkerExecutor, ours.IsoboxExecutor);
  assert.deepEqual(await new ours.DynamicWorkerExecutor({ loader: {}, globalOutbound: null }).execute('async () => 1', []), { result: 1 });
});

test('requests of programs go to globalOutbound, and nowhere without it', async () => {
  const requests = [];
  const fetch = async (url, { method, headers, body }) => {
    if (url.endsWith('/fails')) throw new Error('refused by the policy');
    requests.push([url, method, headers['x-a'], body]);
    return url.endsWith('/large') ? new Response(new Uint8Array(11 * 1024 * 1024)) : Response.json({ ok: true }, { status: 201 });
  };
  const outbound = new ours.IsoboxExecutor({ globalOutbound: { fetch } });
  const run = (code) => outbound.execute(code, []);
  assert.deepEqual((await run('async () => { const r = await fetch("https://a.example/x", { method: "POST", headers: { "x-a": "b" }, body: "hi" }); return [r.status, await r.json()] }')).result, [201, { ok: true }]);
  assert.deepEqual(requests, [['https://a.example/x', 'POST', 'b', 'hi']]);
  assert.match((await run('async () => fetch("https://a.example/fails")')).error, /refused by the policy/);
  assert.match((await run('async () => fetch("https://a.example/large")')).error, /size limit/);
  assert.ok((await executor.execute('async () => (await fetch("https://a.example/x")).status', [])).error);
  const runtime = ours.createCodemodeRuntime({ connectors: [], executor: outbound });
  assert.equal((await runtime.tool().execute({ code: 'async () => (await fetch("https://a.example/y")).status' })).result, 201);
});

both('ToolDispatcher answers with JSON', async ({ ToolDispatcher }) => {
  const dispatcher = new ToolDispatcher({ add: async (a, b) => a + b, one: async (x) => x, fails: async () => { throw new Error('no'); } });
  assert.deepEqual(await Promise.all([dispatcher.call('add', '[1,2]'), dispatcher.call('one', '{"a":1}'), dispatcher.call('one'), dispatcher.call('fails', '[]'), dispatcher.call('nope', '[]')]), ['{"result":3}', '{"result":{"a":1}}', '{}', '{"error":"no"}', '{"error":"Tool \\"nope\\" not found"}']);
});

test('names of functions become identifiers, and two that become one are refused', async () => {
  assert.equal((await executor.execute('async () => codemode.get_it(1)', [{ name: 'codemode', fns: { 'get-it': async (n) => n + 1 } }])).result, 2);
  assert.equal((await executor.execute('async () => 1', [{ name: 'codemode', fns: { 'a-b': async () => 1, 'a.b': async () => 2 } }])).error, 'Tool names "a-b" and "a.b" both sanitize to "a_b" in provider "codemode"');
  for (const name of ['console', 'Promise', 'tools']) assert.equal((await executor.execute('async () => 1', [{ name, fns: {} }])).error, `Provider name "${name}" is reserved`);
  assert.equal((await executor.execute('async () => 1', [{ name: 'a', fns: {} }], { connectors: [{ name: 'a', binding: { callTool: async () => 1 } }] })).error, 'Duplicate name "a" (connector clashes with provider)');
});

const FORMS = {
  'a last expression': 'const a = 3;\na + 1',
  'a call of a function': 'async function main() { return 7 }\nmain()',
  'a function and a return': 'async function main() { return 7 }\nreturn await main()',
  'a chain of calls': 'const a = [1, 2];\na\n  .map((n) => n * 2)\n  .length',
  'an exported function': 'export default async () => 9',
  'an exported function with a name': 'export default async function main() { return 9 }',
  'an object': '({ a: 1 })',
  'a loop': 'let s = 0;\nfor (const n of [1, 2]) { s += n; }\nreturn s;',
  'a function with semicolons': 'async () => { return 5; };',
  'a text with braces': 'return "};\\n{"',
  'an awaited call': 'await Promise.resolve(4)',
  'a template': 'const n = 1;\n`n is ${n}`',
  'nothing': '',
  'a fence without a language': '```\n1 + 2\n```',
  'TypeScript': 'const n: number = 4;\nreturn n',
  'an immediate call': '(async () => 6)()',
};

/** Where results differ, and why. Strict. */
const FORM_DIFFERENCES = {};

for (const [name, code] of Object.entries(FORMS)) {
  test(`normalizeCode and the executor take every form of a program: ${name}`, async () => {
    const result = async (text) => { const { result: value, error } = await executor.execute(text, []); return error === undefined ? value : 'an error'; };
    const theirs = await result(original.normalizeCode(code));
    const mine = [await result(ours.normalizeCode(code)), await result(code)];
    if (FORM_DIFFERENCES[name] === undefined) return assert.deepEqual(mine, [theirs, theirs]);
    assert.deepEqual(mine, FORM_DIFFERENCES[name][1]);
    return assert.notDeepEqual(mine, [theirs, theirs], 'a listed difference is gone');
  });
}

const definitions = [
  toolDefinition({ name: 'get-weather', description: 'The weather.', inputSchema: z.object({ city: z.string() }), outputSchema: z.object({ celsius: z.number() }) }).server(async ({ city }) => ({ celsius: city.length })),
  toolDefinition({ name: 'pay', description: 'Pays.', inputSchema: z.object({}), needsApproval: true }).server(async () => 1),
  toolDefinition({ name: 'client', description: 'Runs elsewhere.', inputSchema: z.object({}) }),
];

for (const [subject, module] of [['isobox/cloudflare/tanstack-ai', oursTanstack], ['the original', originalTanstack]]) {
  test(`${subject}: a code tool for chat() of TanStack AI`, async () => {
    const provider = module.tanstackTools(definitions);
    assert.match(provider.types, /city: string/);
    assert.match(provider.types, /get_weather/);
    assert.doesNotMatch(provider.types, /\bpay\b/);
    assert.deepEqual(Object.keys(module.resolveProvider(provider).fns), ['get-weather']);
    const code = module.createCodeTool({ tools: [provider, module.tanstackTools(definitions, 'other')], executor });
    assert.deepEqual([code.__toolSide, code.name], ['server', 'codemode_execute']);
    assert.match(code.description, /declare const codemode[^]*declare const other/);
    assert.deepEqual(await code.execute({ code: 'async () => [await codemode.get_weather({ city: "Rome" }), await other.get_weather({ city: "Oslo" })]' }), { result: [{ celsius: 4 }, { celsius: 4 }] });
    await assert.rejects(code.execute({ code: 'async () => codemode.pay({})' }), /"pay" not found/);
    assert.match(module.generateTypes(definitions, 'ns'), /declare const ns/);
    assert.equal(module.normalizeProviders({})[0].tools !== undefined, true);
    assert.match(module.DEFAULT_DESCRIPTION, /\{\{types\}\}/);
  });
}

for (const [subject, module] of [['isobox/cloudflare/ai', oursAi], ['the original', originalAi]]) {
  test(`${subject}: a connector of a tool set`, async (t) => {
    t.mock.method(console, 'warn', () => {});
    const tools = {
      add: tool({ description: 'Adds.', inputSchema: z.object({ a: z.number(), b: z.number().default(5) }), outputSchema: z.object({ sum: z.number() }), execute: async ({ a, b }) => ({ sum: a + b }) }),
      pay: tool({ inputSchema: z.object({}), needsApproval: true, execute: async () => 1 }),
      ask: tool({ inputSchema: z.object({}), needsApproval: () => false, execute: async () => 1 }),
      free: tool({ inputSchema: z.object({}), needsApproval: false, execute: async () => 1 }),
      client: tool({ inputSchema: z.object({}) }),
    };
    const connector = module.toolSetConnector({}, { name: 'kit', instructions: 'Use it.', tools });
    const { name, instructions, descriptors, annotations } = await connector.describe();
    assert.deepEqual([name, instructions, Object.keys(descriptors), annotations], ['kit', 'Use it.', ['add', 'pay', 'ask', 'free'], { pay: { requiresApproval: true }, ask: { requiresApproval: true } }]);
    assert.deepEqual(await connector.executeTool('add', { a: 1 }), { sum: 6 });
    await assert.rejects(connector.executeTool('add', { a: 'x' }));
    await assert.rejects(module.toolSetConnector({}, { tools: { 'a-b': tools.free, 'a.b': tools.free } }).describe(), /"a-b" and "a\.b" on \w+ both map to "a_b"/);
  });
}

for (const [subject, { createBrowserCodeTool }] of [['isobox/cloudflare/browser', oursBrowser], ['the original', originalBrowser]]) {
  test(`${subject}: a tool as plain data`, async () => {
    const double = { description: 'Doubles.', inputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }, execute: async ({ n }) => n * 2 };
    const tools = { 'double-it': double, pay: { ...double, needsApproval: true }, free: { ...double, needsApproval: false } };
    const code = createBrowserCodeTool({ tools, executor, description: 'T: {{types}}' });
    assert.deepEqual([code.name, code.inputSchema.required, code.outputSchema.required, Object.keys(code.outputSchema.properties)], ['codemode', ['code'], ['result'], ['result', 'logs']]);
    assert.match(code.description, /^T: [^]*double_it[^]*free/);
    assert.doesNotMatch(code.description, /\bpay\b/);
    const run = 'async () => { console.log("hi"); return [await codemode.double_it({ n: 2 }), await codemode.free({ n: 3 })] }';
    assert.deepEqual(await code.execute({ code: run }), { result: [4, 6], logs: ['hi'] });
    assert.deepEqual(await createBrowserCodeTool({ tools: [{ ...double, name: 'a' }], executor }).execute({ code: 'async () => codemode.a({ n: 1 })' }), { result: 2 });
    assert.throws(() => createBrowserCodeTool({ tools: { 'a-b': double, 'a.b': double }, executor }), /Tool names "a-b" and "a\.b" both sanitize to "a_b"/);
    assert.throws(() => createBrowserCodeTool({ tools: [double], executor }), /name/);
  });
}

test('wrong tools and providers are named', async () => {
  const wrong = (message) => (error) => error instanceof TypeError && error.message.includes(message);
  assert.throws(() => oursTanstack.tanstackTools({}), wrong('`tools` is {}; expected an array of tools with names'));
  assert.throws(() => ours.createCodeTool({ tools: {} }), wrong('`executor` is undefined; expected an object with the method execute'));
  assert.throws(() => ours.createCodeTool({ executor }), wrong('`tools` is undefined'));
  assert.throws(() => ours.toolSetConnector({}, {}), wrong('`tools` is undefined; expected an object of tools'));
  assert.throws(() => ours.createCodemodeRuntime({ connectors: [{}] }), wrong('a connector is {}; expected a CodemodeConnector'));
  assert.throws(() => ours.createCodemodeRuntime({ connectors: [], maxExecutions: -1 }), wrong('`maxExecutions` is -1; expected a whole number of at least 0'));
  class Bad extends ours.CodemodeConnector { name() { return 'bad'; } tools() { return { x: { execute: 7 } }; } }
  await assert.rejects(new Bad().describe(), wrong('bad.x: `execute` is 7; expected a function'));
});
