// `isobox/ai` beside the package that it replaces: what the documents of the original promise holds for both. The original needs
// Node 22.
import assert from 'node:assert/strict';
import test from 'node:test';

import { generateText, stepCountIs, tool } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { z } from 'zod';

import * as ours from 'isobox/ai';

const original = await import('experimental-ai-sdk-code-mode').catch(() => undefined);
const subjects = [['isobox/ai', ours], ...(original ? [['the original', original]] : [])];

/** Runs a test with each package. */
function both(name, run) {
  for (const [subject, mode] of subjects) test(`${subject}: ${name}`, (t) => run(mode, t));
}

const any = z.looseObject({});
const t = (execute, more) => tool({ inputSchema: any, execute, ...more });
const execution = { toolCallId: 'call_1', messages: [] };

// First: the original counts calls that never settle for as long as the process lives.
both('the number of active invocations can be limited', async (mode, t) => {
  t.after(() => mode.setMaxWorkers(undefined));
  mode.setMaxWorkers(1);
  let release;
  const tools = { wait: t3(new Promise((resolve) => { release = resolve; })) };
  const running = mode.runCodeMode({ js: 'return await tools.wait({})', tools, toolExecutionOptions: execution });
  await assert.rejects(mode.runCodeMode({ js: 'return 1', tools: {} }), (error) => error instanceof mode.CodeModeConcurrencyError && error.details.maxWorkers === 1);
  release(3);
  assert.equal(await running, 3);
  mode.setMaxWorkers(undefined);
  assert.equal(await mode.runCodeMode({ js: 'return 1', tools: {} }), 1);
});

function t3(value) {
  return t(async () => value);
}

/** Every case: the program, its tools and options. */
const fetchPolicy = {
  fetch: async (url, init) =>
    String(url).endsWith('/redirect')
      ? new Response(null, { status: 302, headers: { location: 'https://a.example/there' } })
      : Response.json({ method: init.method, sent: init.body ?? null, header: new Headers(init.headers).get('x-a') }, { status: 201, statusText: 'Made' }),
  allowedOrigins: ['https://a.example'],
};
const failing = { x: t(async () => { throw Object.assign(new TypeError('db down at /srv/x.js:1'), { code: 'E_DB' }); }) };
const one = { x: t(async () => 1) };
const CASES = {
  'a value': ['return { a: [1, "ä", null, true] }'],
  'values that JSON changes': ['return { a: undefined, b: [undefined, NaN, Infinity], d: new Date(0) }'],
  'no value': ['const a = 1'],
  'a BigInt': ['return 10n'],
  'a Map': ['return new Map([[1, 2]])'],
  'a thrown error': ['throw new TypeError("bad")'],
  'a thrown text': ['throw "text"'],
  TypeScript: ['const x: number = 1; return x as number'],
  'an enum': ['enum A { X = 3 }; return A.X'],
  'an arrow function': ['async () => 5'],
  'a syntax error': ['return ]'],
  'a call': ['return await tools.add({ a: 1, b: 2 })', { add: tool({ inputSchema: z.object({ a: z.number(), b: z.number() }), execute: async ({ a, b }) => ({ sum: a + b }) }) }],
  'concurrent calls': ['return await Promise.all([tools.x({}), tools.x({})])', one],
  'a default of the schema': ['return await tools.x({})', { x: tool({ inputSchema: z.object({ n: z.number().default(4) }), execute: async ({ n }) => n }) }],
  'a stream': ['return await tools.x({})', { x: tool({ inputSchema: any, async *execute() { yield 1; yield 2; } }) }],
  'a failing tool': ['return await tools.x({})', failing],
  'a failing tool that is caught': ['try { await tools.x({}) } catch (e) { return [e.message, typeof e.name, typeof e.code, String(e.stack).includes("srv")] }', failing],
  'an invalid input': ['return await tools.x({ a: 1 })', { x: tool({ inputSchema: z.object({ a: z.string() }), execute: async () => 1 }) }],
  'an unknown tool': ['return await tools.nope({})', one],
  'a tool without execute': ['return await tools.x({})', { x: tool({ inputSchema: any }) }],
  'no approval': ['return await tools.x({})', { x: t(async () => 1, { needsApproval: true }) }],
  'a denied approval': ['return await tools.x({})', { x: t(async () => 1, { needsApproval: true }) }, { approval: { onApprovalRequired: () => ({ approved: false, reason: 'no' }) } }],
  'an approval': ['return await tools.x({})', { x: t(async () => 1, { needsApproval: true }) }, { approval: { onApprovalRequired: async () => 'approved' } }],
  'an approval by input': ['return [await tools.x({ n: 1 }), await tools.x({ n: 2 })]', { x: t(async ({ n }) => n, { needsApproval: ({ n }) => n > 2 }) }],
  'a malformed approval': ['return await tools.x({})', { x: t(async () => 1, { needsApproval: true }) }, { approval: { onApprovalRequired: () => ({ approved: 'yes' }) } }],
  'a time-out': ['while (true) {}', {}, { executionPolicy: { timeoutMs: 200 } }],
  'a call that nothing awaits': ['tools.x({}); return 1', one],
  'a call that is pending': ['const p = tools.x({}); p.catch(() => {}); return 1', { x: t(() => new Promise(() => {})) }, { executionPolicy: { timeoutMs: 1000 } }],
  'too many calls': ['for (let i = 0; i < 5; i++) await tools.x({})', one, { executionPolicy: { maxBridgeRequests: 3 } }],
  'a source that is too large': ['return 1', {}, { executionPolicy: { maxSourceBytes: 3 } }],
  'a result that is too large': ['return "x".repeat(100)', {}, { executionPolicy: { maxResultBytes: 10 } }],
  'an input that is too large': ['return await tools.x({ a: "x".repeat(100) })', one, { executionPolicy: { maxToolInputBytes: 10 } }],
  'an output that is too large': ['return await tools.x({})', { x: t(async () => 'x'.repeat(100)) }, { executionPolicy: { maxToolOutputBytes: 10 } }],
  'no memory': ['const a = []; while (true) a.push(new Array(1000).fill(1))', {}, { executionPolicy: { memoryLimitBytes: 8 << 20 } }],
  'no stack': ['const f = () => f() + 1; return f()'],
  'no fetch': ['return [typeof fetch, typeof process, typeof require, typeof module]'],
  'a fetch': ['const r = await fetch("https://a.example/x", { headers: { "x-a": "b" } }); return [r.ok, r.status, r.statusText, r.url, r.headers.get("content-type"), await r.json()]', {}, { fetchPolicy }],
  'a fetch of text and bytes': ['const u = "https://a.example/x"; return [(await (await fetch(u)).text()).length, (await (await fetch(u)).arrayBuffer()).byteLength]', {}, { fetchPolicy }],
  'a fetch that posts': ['const r = await fetch("https://a.example/x", { method: "POST", body: "hi" }); return await r.json()', {}, { fetchPolicy: { ...fetchPolicy, allowedMethods: ['POST'] } }],
  'a fetch elsewhere': ['await fetch("https://b.example/x")', {}, { fetchPolicy }],
  'a fetch of a file': ['await fetch("file:///etc/passwd")', {}, { fetchPolicy }],
  'a fetch with another method': ['await fetch("https://a.example/x", { method: "POST" })', {}, { fetchPolicy }],
  'a fetch below a prefix': ['return (await fetch("https://a.example/v1/x")).status', {}, { fetchPolicy: { fetch: fetchPolicy.fetch, allowedUrlPrefixes: ['https://a.example/v1/'] } }],
  'a fetch beside a prefix': ['return (await fetch("https://a.example/v2/x")).status', {}, { fetchPolicy: { fetch: fetchPolicy.fetch, allowedUrlPrefixes: ['https://a.example/v1/'] } }],
  'a redirect': ['return (await fetch("https://a.example/redirect")).status', {}, { fetchPolicy }],
  'a redirect that is followed': ['const r = await fetch("https://a.example/redirect"); return [r.status, r.url]', {}, { fetchPolicy: { ...fetchPolicy, allowRedirects: true } }],
  'a response that is too large': ['await fetch("https://a.example/x")', {}, { fetchPolicy: { ...fetchPolicy, maxResponseBytes: 3 } }],
  'a fetch that fails': ['await fetch("https://a.example/x")', {}, { fetchPolicy: { ...fetchPolicy, fetch: async () => { throw new Error('ECONNREFUSED 10.0.0.1'); } } }],
  'a limit that is not a number': ['return 1', {}, { executionPolicy: { timeoutMs: -1 } }],
};

/** Where Isobox differs, and why. Strict: a difference that is not listed fails, and so does a listed one that is gone. */
const DIFFERENCES = {
  'no value': ['a result of Isobox is JSON: nothing is null', { value: null }],
  'a BigInt': ['the message says what to do', { error: ['CodeModeError', 'SerializationError', 'CODE_MODE_ERROR', 'the result is not JSON: the value is a BigInt; convert it with String(…) or Number(…)'] }],
  'a Map': ['entries are not lost', { value: [[1, 2]] }],
  'an enum': ['all of TypeScript works', { value: 3 }],
  'an arrow function': ['the function is called', { value: 5 }],
  'a syntax error': ['the message says what is wrong, and where', { error: ['SyntaxError', 'SyntaxError', 'ERR_INVALID_TYPESCRIPT_SYNTAX', 'unexpected `]` (line 1, column 8)'] }],
  'an invalid input': ['the documented class; the message is one line', { error: ['CodeModeToolError', 'CodeModeToolError', 'CODE_MODE_TOOL_ERROR', 'Invalid input for tool "x": `/a`: Invalid input: expected string, received number'] }],
  'an unknown tool': ['the documented class', { error: ['CodeModeToolError', 'CodeModeToolError', 'CODE_MODE_TOOL_ERROR', 'Unknown tool: nope'] }],
  'a tool without execute': ['the documented class', { error: ['CodeModeToolError', 'CodeModeToolError', 'CODE_MODE_TOOL_ERROR', 'Tool "x" does not have execute().'] }],
  'no approval': ['the tool is named', { error: ['CodeModeToolApprovalRequiredError', 'CodeModeToolApprovalRequiredError', 'CODE_MODE_TOOL_APPROVAL_REQUIRED', 'Tool "x" requires approval before execution.'] }],
  'a denied approval': ['the tool is named', { error: ['CodeModeToolApprovalDeniedError', 'CodeModeToolApprovalDeniedError', 'CODE_MODE_TOOL_APPROVAL_DENIED', 'Tool "x" approval was denied.'] }],
  'a call that nothing awaits': ['the message is that of Isobox', { error: ['CodeModeDetachedBridgeRequestError', 'CodeModeDetachedBridgeRequestError', 'CODE_MODE_DETACHED_BRIDGE_REQUEST', 'Code mode: the program returned while its call of `x` was never awaited.'] }],
  'a call that is pending': ['the message is that of Isobox', { error: ['CodeModeDetachedBridgeRequestError', 'CodeModeDetachedBridgeRequestError', 'CODE_MODE_DETACHED_BRIDGE_REQUEST', 'Code mode: the program returned while its call of `x` was still pending.'] }],
  'a result that is too large': ['the name is that of the class', { error: ['CodeModeError', 'CodeModeError', 'CODE_MODE_SERIALIZATION_ERROR', 'Code mode result exceeds the 10 byte size limit.'] }],
  'an input that is too large': ['the tool is not named', { error: ['CodeModeError', 'CodeModeError', 'CODE_MODE_SERIALIZATION_ERROR', 'Tool input exceeds the 10 byte size limit.'] }],
  'no memory': ['the message names the limit, with 2 MiB for the engine', { error: ['CodeModeError', 'MemoryLimitError', 'CODE_MODE_ERROR', 'the program needed more than 10 MiB of memory'] }],
  'no stack': ['the stack has at most 1 MiB', { error: ['CodeModeError', 'RangeError', 'CODE_MODE_ERROR', 'the program needed more than 1 MiB of stack'] }],
  'a fetch elsewhere': ['the documented class', { error: ['CodeModeFetchError', 'CodeModeFetchError', 'CODE_MODE_FETCH_ERROR', 'fetch URL is not allowed: https://b.example/x'] }],
  'a fetch of a file': ['the documented class', { error: ['CodeModeFetchError', 'CodeModeFetchError', 'CODE_MODE_FETCH_ERROR', 'fetch URL is not allowed: file:///etc/passwd'] }],
  'a fetch with another method': ['the documented class', { error: ['CodeModeFetchError', 'CodeModeFetchError', 'CODE_MODE_FETCH_ERROR', 'fetch method "POST" is not allowed.'] }],
  'a fetch beside a prefix': ['the documented class', { error: ['CodeModeFetchError', 'CodeModeFetchError', 'CODE_MODE_FETCH_ERROR', 'fetch URL is not allowed: https://a.example/v2/x'] }],
  'a response that is too large': ['the documented class', { error: ['CodeModeFetchError', 'CodeModeFetchError', 'CODE_MODE_FETCH_ERROR', 'fetch response exceeds the 3 byte size limit.'] }],
  'no fetch': ['`process`, `require` and `module` are those of Isobox: they reach nothing', { value: ['undefined', 'object', 'function', 'object'] }],
};

async function result(mode, [js, tools = {}, options = {}]) {
  try {
    return { value: await mode.runCodeMode({ js, tools, options, toolExecutionOptions: execution }) };
  } catch (error) {
    return { error: [error.constructor.name, error.name, error.code, error.message] };
  }
}

for (const [name, given] of Object.entries(CASES)) {
  test(`both agree, or differ as listed: ${name}`, async () => {
    const mine = await result(ours, given);
    const listed = DIFFERENCES[name];
    if (listed !== undefined) assert.deepEqual(mine, listed[1], listed[0]);
    if (original === undefined) return;
    const theirs = await result(original, given);
    if (listed === undefined) assert.deepEqual(mine, theirs);
    else assert.notDeepEqual(mine, theirs, 'a listed difference is gone');
  });
}

test('all exports of the original are there', { skip: original === undefined }, () => {
  assert.deepEqual(Object.keys(original).filter((name) => !(name in ours)), []);
});

both('a nested tool gets the options of the AI SDK, with an ID of its own', async (mode) => {
  let seen;
  const tools = { x: t(async (_, options) => { seen = options; return 1; }) };
  const messages = [{ role: 'user', content: 'hi' }];
  await mode.runCodeMode({ js: 'return await tools.x({})', tools, toolExecutionOptions: { toolCallId: 'call_9', messages, experimental_context: { user: 1 } } });
  assert.equal(seen.toolCallId, 'call_9:tool-1');
  assert.deepEqual([seen.messages, seen.experimental_context, seen.context], [messages, { user: 1 }, { user: 1 }]);
  assert(seen.abortSignal instanceof AbortSignal);
});

both('aborting ends the invocation and the nested tool', async (mode) => {
  const stop = new AbortController();
  let aborted;
  const tools = { x: t((_, { abortSignal }) => new Promise((_, reject) => abortSignal.addEventListener('abort', () => { aborted = true; reject(new Error('aborted')); }))) };
  const running = mode.runCodeMode({ js: 'return await tools.x({})', tools, toolExecutionOptions: { ...execution, abortSignal: stop.signal } });
  setTimeout(() => stop.abort(), 100);
  await assert.rejects(running, (error) => error instanceof mode.CodeModeAbortedError && error.code === 'CODE_MODE_ABORTED');
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(aborted, true);
});

both('hooks see every call, and their errors change nothing', async (mode) => {
  const seen = [];
  const errors = [];
  const hook = (name) => (event) => { seen.push([name, event.toolName ?? event.url ?? event.status, event.toolCallId, event.status, event.replayed]); if (name === 'call') throw new Error('hook'); };
  const output = await mode.runCodeMode({
    js: 'await tools.x({ a: 1 }); await fetch("https://a.example/x"); return 5',
    tools: one,
    toolExecutionOptions: execution,
    options: {
      fetchPolicy,
      lifecycle: { onNestedToolCall: hook('call'), onNestedToolResult: hook('result'), onFetchRequest: hook('fetch'), onFetchResult: hook('fetched'), onTrace: (trace) => seen.push(['trace', trace.status, trace.bridgeRequests.map(({ kind, status, bridgeIndex }) => [kind, status, bridgeIndex])]), onHookError: (error, { hook }) => errors.push([error.message, hook]) },
    },
  });
  assert.equal(output, 5);
  assert.deepEqual(errors, [['hook', 'onNestedToolCall']]);
  assert.deepEqual(seen, [
    ['call', 'x', 'call_1:tool-1', undefined, false],
    ['result', 'x', 'call_1:tool-1', 'fulfilled', false],
    ['fetch', 'https://a.example/x', undefined, undefined, false],
    ['fetched', 'https://a.example/x', undefined, 'fulfilled', false],
    ['trace', 'completed', [['tool', 'fulfilled', 1], ['fetch', 'fulfilled', 2]]],
  ]);
});

both('telemetry has spans with names and sizes, and no values', async (mode) => {
  const spans = [];
  const tracer = {
    startSpan(name, { attributes }) {
      const span = { name, attributes: { ...attributes }, ended: false };
      spans.push(span);
      return { setAttributes: (more) => Object.assign(span.attributes, more), addEvent() {}, recordException() {}, setStatus() {}, end: () => (span.ended = true) };
    },
  };
  await mode.runCodeMode({ js: 'return await tools.x({ secret: "hunter2" })', tools: one, toolExecutionOptions: execution, options: { telemetry: { isEnabled: true, tracer, functionId: 'f', metadata: { runtime: 'ash' } } } });
  assert.deepEqual(spans.map(({ name, ended }) => [name, ended]), [['ai.code_mode.execute', true], ['ai.code_mode.nested_tool', true]]);
  assert.equal(spans[0].attributes['ai.telemetry.functionId'], 'f');
  assert.equal(spans[0].attributes['ai.telemetry.metadata.runtime'], 'ash');
  assert.equal(spans[1].attributes['code_mode.tool.name'], 'x');
  assert.equal(spans[1].attributes['code_mode.tool.input.bytes'], 20);
  assert(!JSON.stringify(spans).includes('hunter2'));
});

both('the model sees nested calls where asked', async (mode) => {
  const codeMode = mode.createCodeModeTool({ getBar: t(async () => ({ id: 7 })), short: t(async () => 'long', { toModelOutput: () => ({ type: 'text', value: 'short' }) }) }, { modelOutput: { includeNestedToolOutputs: true } });
  const input = { js: 'const b = await tools.getBar({ q: 1 }); await tools.short({}); return { id: b.id }' };
  const output = await codeMode.execute(input, execution);
  assert.deepEqual(output, { id: 7 });
  const shown = await codeMode.toModelOutput({ toolCallId: 'call_1', input, output });
  const entry = (toolName, n, output) => ({ kind: 'tool', toolName, toolCallId: `call_1:tool-${n}`, status: 'fulfilled', replayed: false, output });
  assert.deepEqual(shown, { type: 'json', value: { result: { id: 7 }, nestedTools: [entry('getBar', 1, { type: 'json', value: { id: 7 } }), entry('short', 2, { type: 'text', value: 'short' })] } });
  assert.deepEqual(await codeMode.toModelOutput({ toolCallId: 'call_1', input: { js: '' }, output: 1 }), { type: 'json', value: { result: 1, nestedTools: [] } });
});

both('a host tool interrupts, and runs again with the resolution; nothing else runs again', async (mode) => {
  const calls = [];
  const tools = {
    read: t(async () => { calls.push('read'); return 'notes'; }),
    connect: t(async ({ id }, { codeModeInterrupt }) => {
      calls.push('connect');
      if (codeModeInterrupt === undefined) mode.requestCodeModeInterrupt({ kind: 'connection-auth', id });
      return `${codeModeInterrupt.payload.kind} ${codeModeInterrupt.resolution.token}`;
    }),
  };
  const codeMode = mode.createCodeModeTool(tools);
  const result = await codeMode.execute({ js: 'const a = await tools.read({}); const at = Date.now(); const r = Math.random(); const b = await tools.connect({ id: "c1" }); return { a, b, same: [at, r].length }' }, execution);
  const { status, interrupt } = mode.unwrapCodeModeResult(result);
  assert.equal(status, 'interrupted');
  assert(mode.isCodeModeInterrupt(interrupt) && !mode.isCodeModeApprovalInterrupt(interrupt));
  const { continuation, ...described } = interrupt;
  assert.deepEqual(described, { type: 'code-mode-interrupt', interruptId: 'call_1:tool-2:interrupt', toolName: 'connect', toolCallId: 'call_1:tool-2', outerToolCallId: 'call_1', input: { id: 'c1' }, payload: { kind: 'connection-auth', id: 'c1' } });
  const stored = JSON.parse(JSON.stringify(interrupt));
  const output = await mode.continueCodeModeInterrupt({ interrupt: stored, resolution: { token: 't1' }, tools });
  assert.deepEqual(output, { a: 'notes', b: 'connection-auth t1', same: 2 });
  assert.deepEqual(calls, ['read', 'connect', 'connect']);
  const messages = [{ role: 'tool', content: [{ type: 'tool-result', toolCallId: 'call_1', toolName: 'codeMode', output: { type: 'json', value: stored } }] }];
  assert.deepEqual(mode.replaceCodeModeInterruptResult(messages, stored, output)[0].content[0].output, { type: 'json', value: output });
});

both('continuations that are forged, altered, expired or for another key are refused', async (mode, t) => {
  t.after(() => mode.setCodeModeContinuationSigningKey());
  const tools = { x: t2(mode) };
  const run = () => mode.runCodeMode({ js: 'return await tools.x({})', tools, toolExecutionOptions: execution });
  const go = (interrupt) => mode.continueCodeModeInterrupt({ interrupt, resolution: 1, tools });
  const refused = (error) => error instanceof mode.CodeModeProtocolError && error.code === 'CODE_MODE_PROTOCOL_ERROR';
  const interrupt = await run();
  const altered = structuredClone(interrupt);
  altered.continuation.outerToolCallId = 'call_2';
  assert.equal(mode.isCodeModeInterrupt(altered), false);
  await assert.rejects(go(altered), refused);
  assert.equal(mode.isCodeModeInterrupt({ ...interrupt, continuation: { version: 1 } }), false);
  mode.setCodeModeContinuationSigningKey('a stable key');
  assert.equal(mode.isCodeModeInterrupt(interrupt), false);
  await assert.rejects(go(interrupt), refused);
  const kept = await run();
  mode.setCodeModeContinuationSigningKey();
  mode.setCodeModeContinuationSigningKey('a stable key');
  assert.equal(await go(kept), 1);
  mode.setCodeModeContinuationSigningKey('a stable key', { maxAgeMs: 1 });
  const short = await run();
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(mode.isCodeModeInterrupt(short), false);
  await assert.rejects(go(short), refused);
  assert.throws(() => mode.setCodeModeContinuationSigningKey(''), TypeError);
});

function t2(mode) {
  return t(async (_, { codeModeInterrupt }) => (codeModeInterrupt === undefined ? mode.requestCodeModeInterrupt({ kind: 'k' }) : codeModeInterrupt.resolution));
}

test('isobox/ai: a continuation is used once', async () => {
  const tools = { x: t2(ours) };
  const interrupt = await ours.runCodeMode({ js: 'return await tools.x({})', tools, toolExecutionOptions: execution });
  assert.equal(await ours.continueCodeModeInterrupt({ interrupt, resolution: 1, tools }), 1);
  await assert.rejects(ours.continueCodeModeInterrupt({ interrupt, resolution: 1, tools }), ours.CodeModeProtocolError);
});

both('an approval goes through messages of the AI SDK', async (mode) => {
  const calls = [];
  const tools = { readFile: t(async ({ path }) => { calls.push(`read ${path}`); return 'text'; }), deleteFile: t(async ({ path }) => { calls.push(`delete ${path}`); return true; }, { needsApproval: true }) };
  const codeMode = mode.createCodeModeTool(tools, { approval: { mode: 'interrupt' } });
  const js = 'const file = await tools.readFile({ path: "a" }); await tools.deleteFile({ path: "a" }); await tools.deleteFile({ path: "b" }); return { file }';
  const interrupt = await codeMode.execute({ js }, execution);
  assert(mode.isCodeModeApprovalInterrupt(interrupt));
  const messages = mode.toCodeModeApprovalMessages(interrupt);
  assert.deepEqual(messages, [{ role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'call_1:tool-2', toolName: 'deleteFile', input: { path: 'a' } }, { type: 'tool-approval-request', approvalId: 'call_1:tool-2:interrupt', toolCallId: 'call_1:tool-2' }] }]);
  assert.equal(mode.getCodeModeApprovalResponse(messages, interrupt), undefined);
  const answer = (more) => ({ role: 'tool', content: [{ type: 'tool-approval-response', approvalId: interrupt.interruptId, ...more }] });
  assert.equal(mode.getCodeModeApprovalResponse([answer({ approved: 'yes' })], interrupt), undefined);
  const approvalResponse = mode.getCodeModeApprovalResponse([...messages, answer({ approved: true, reason: 'fine' })], interrupt);
  assert.deepEqual(approvalResponse, { approvalId: interrupt.interruptId, approved: true, reason: 'fine' });
  await assert.rejects(mode.continueCodeModeApproval({ interrupt, approvalResponse: { ...approvalResponse, approved: 1 }, tools }), mode.CodeModeProtocolError);
  await assert.rejects(mode.continueCodeModeApproval({ interrupt, approvalResponse: { ...approvalResponse, approvalId: 'other' }, tools }), mode.CodeModeProtocolError);
  const second = await mode.continueCodeModeApproval({ interrupt, approvalResponse, tools });
  assert(mode.isCodeModeApprovalInterrupt(second));
  assert.deepEqual([second.toolName, second.input], ['deleteFile', { path: 'b' }]);
  const denied = mode.continueCodeModeApproval({ interrupt: second, approvalResponse: { approvalId: second.interruptId, approved: false, reason: 'no' }, tools });
  await assert.rejects(denied, (error) => error instanceof mode.CodeModeToolApprovalDeniedError);
  assert.deepEqual(calls, ['read a', 'delete a']);
});

both('an agent of the AI SDK calls, pauses, is approved, continues and answers', async (mode) => {
  const tools = { remove: t(async ({ id }) => `removed ${id}`, { needsApproval: true, description: 'Removes an item.' }) };
  const codeMode = mode.createCodeModeTool(tools, { approval: { mode: 'interrupt' } });
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
  const call = { type: 'tool-call', toolCallId: 'outer', toolName: 'codeMode', input: JSON.stringify({ js: 'return await tools.remove({ id: 3 })' }) };
  let turn = 0;
  const prompts = [];
  const model = new MockLanguageModelV3({
    doGenerate: async ({ prompt, tools: offered }) => {
      prompts.push(prompt);
      assert.match(offered[0].description, /Removes an item/);
      const content = turn++ === 0 ? [call] : [{ type: 'text', text: 'done' }];
      return { content, finishReason: { unified: turn === 1 ? 'tool-calls' : 'stop' }, usage, warnings: [] };
    },
  });
  const first = await generateText({ model, tools: { codeMode }, prompt: 'remove 3', stopWhen: stepCountIs(1) });
  const interrupt = mode.getCodeModeApprovalInterrupt(first);
  assert(interrupt, 'the result of the step has the interrupt');
  const output = await mode.continueCodeModeApproval({ interrupt, approvalResponse: { approvalId: interrupt.interruptId, approved: true }, tools });
  assert.equal(output, 'removed 3');
  const messages = mode.replaceCodeModeInterruptResult([{ role: 'user', content: 'remove 3' }, ...first.response.messages], interrupt, output);
  const last = await generateText({ model, tools: { codeMode }, messages });
  assert.equal(last.text, 'done');
  assert.match(JSON.stringify(prompts.at(-1)), /removed 3/);
});

test('isobox/ai: names that are no identifiers become identifiers', async () => {
  const tools = { 'my-tool': t(async () => 1), my_tool: t(async () => 2) };
  assert.deepEqual(await ours.runCodeMode({ js: 'return [await tools.my_tool_({}), await tools.my_tool({})]', tools }), [1, 2]);
  assert.match(ours.createCodeModeTool(tools).description, /my_tool_\(/);
});
