// The conformance cases of `spec/` through the package. Left out: cases with tools that only Rust has, and with a world of their own.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import test from 'node:test';

import { parse } from 'smol-toml';

import { Isobox } from 'isobox';

import { demoTools } from './demo-tools.mjs';

const SPEC = new URL('../../../spec/', import.meta.url);
const OTHER_FOLDERS = ['src', 'tests', 'search', 'counterparts', 'programs', 'intl', 'test262', 'typescript'];
/** What a case may ask for that the package does not offer here. */
const ELSEWHERE = ['capacity', 'cancelAfterPolls', 'passes', 'rollback', 'approverTakes'];

/** Cases whose result depends on which answers come together: here they come from another thread, each at its own time. */
const TIMED = ['async/calls_batch_order'];

/** The known deviations of the library, which are those of the package. Strict. */
const DEVIATIONS = readFileSync(new URL('expected-failures.txt', SPEC), 'utf8')
  .split('\n')
  .filter((line) => /^[^#]*\blibrary\b.*::/.test(line))
  .map((line) => line.split('::')[1].trim());

function* cases() {
  for (const topic of readdirSync(SPEC, { withFileTypes: true })) {
    if (!topic.isDirectory() || OTHER_FOLDERS.includes(topic.name)) continue;
    for (const file of readdirSync(new URL(`${topic.name}/`, SPEC))) {
      const text = readFileSync(new URL(`${topic.name}/${file}`, SPEC), 'utf8');
      const isProgram = file.endsWith('.ts');
      const lines = text.split('\n').filter((line) => line.startsWith('//#')).map((line) => line.replace(/^\/\/# ?/, ''));
      const header = parse(isProgram ? lines.join('\n') : text, { integersAsBigInt: 'asNeeded' });
      yield { name: `${topic.name}/${file.replace(/\.\w+$/, '')}`, header, program: isProgram ? text : (header.files ?? header.source) };
    }
  }
}

/** Whether a snippet names the hashes of definitions, which are those of tools in Rust. */
const hasTools = ({ snippets = {} }) => Object.values(snippets).some((snippet) => snippet.tools !== undefined);

const isHere = ({ name, header }) => !TIMED.includes(name) && !hasTools(header) && header.tools !== 'spec' && typeof header.seed !== 'bigint' && ELSEWHERE.every((key) => !(key in header));

/** Lists how an outcome differs from what its case expects. */
function differences({ expect }, outcome) {
  const found = [];
  const compare = (what, is, should) => {
    if (JSON.stringify(is) !== JSON.stringify(should)) found.push(`${what} is ${JSON.stringify(is)}, and should be ${JSON.stringify(should)}`);
  };
  if (expect.result !== undefined) {
    compare('status', outcome.status, 'completed');
    compare('result', outcome.status === 'completed' ? outcome.result : outcome.error, JSON.parse(expect.result));
    compare('warnings', (outcome.warnings ?? []).map(({ message }) => message), expect.warnings ?? []);
  } else {
    const { error = {} } = outcome;
    for (const key of ['code', 'name', 'message']) compare(key, error[key], expect.error[key]);
    if (expect.error.stoppedIn === undefined) for (const key of ['line', 'column']) compare(key, error[key], expect.error[key]);
    for (const [key, value] of Object.entries(expect.error.details ?? {})) compare(`details.${key}`, error.details?.[key], value);
  }
  compare('facts', outcome.facts ?? {}, JSON.parse(expect.facts ?? '{}'));
  compare('logs', outcome.logs.map(({ level, message }) => [level, message]), expect.logs ?? []);
  compare('calls', outcome.calls.map(({ path, state }) => [path, state]), expect.calls ?? []);
  if (expect.inputs !== undefined) compare('inputs', outcome.calls.map(({ input }) => JSON.stringify(input)), expect.inputs);
  return found;
}

async function run({ header, program }) {
  const { tools, policy = [], roles = [], limits = {}, inputs = false, seed, approver, checks, config, entry, snippets = {} } = header;
  const isobox = new Isobox({
    tools: tools === 'demo' ? demoTools : {},
    policy,
    ...(config !== undefined && { config }),
    ...(Object.keys(snippets).length > 0 && { store: 'memory' }),
    ...(approver !== undefined && { approve: () => (approver === 'yes' ? 'approved' : { approved: false, reason: 'not today' }) }),
  });
  for (const [name, snippet] of Object.entries(snippets)) {
    const { code, description, inputSchema } = typeof snippet === 'string' ? { code: snippet } : snippet;
    await isobox.snippets.put(name, code, { force: true, ...(description && { description }), ...(inputSchema && { inputSchema: JSON.parse(inputSchema) }) });
  }
  const outcome = await isobox.run(program, {
    limits,
    ...(entry !== undefined && { entry }),
    durable: false,
    details: { inputs },
    ...(checks !== undefined && { checks }),
    ...(roles.length > 0 && { principal: { name: 'spec', roles } }),
    ...(seed !== undefined && { seed: Number(seed) }),
  });
  return differences(header, outcome);
}

test('the conformance cases hold through the package', async (t) => {
  const all = [...cases()];
  const here = all.filter(isHere);
  assert(here.length > 1000, `${here.length} cases`);
  t.diagnostic(`${here.length} of ${all.length} cases`);
  const failures = {};
  const waiting = here.values();
  const work = async () => {
    for (const one of waiting) {
      const found = await run(one).catch((error) => [String(error)]);
      if (found.length > 0) failures[one.name] = found;
    }
  };
  await Promise.all(Array.from({ length: 4 }, work));
  const unlisted = Object.entries(failures).filter(([name]) => !DEVIATIONS.includes(name));
  assert.equal(unlisted.map(([name, found]) => `${name}\n  ${found.join('\n  ')}`).join('\n'), '');
  const names = here.map(({ name }) => name);
  assert.deepEqual(DEVIATIONS.filter((name) => names.includes(name) && !(name in failures)), [], 'known deviations that are gone');
});
