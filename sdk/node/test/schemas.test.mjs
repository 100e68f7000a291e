// Schemas of libraries: the model sees their types, the library checks values, and `execute` gets what it returns.
import assert from 'node:assert/strict';
import test from 'node:test';

import { type } from 'arktype';
import * as v from 'valibot';
import { z } from 'zod';
import { z as z3 } from 'zod3';
import { jsonSchema } from 'ai';

import { Isobox, tool, unwrap } from 'isobox';

/** Runs a tool with this schema and input. Returns what `execute` got, or the code and the message. */
async function called(inputSchema, input, outputSchema) {
  const isobox = new Isobox({ tools: { t: tool({ inputSchema, outputSchema, execute: (given) => ({ given }) }) } });
  const program = `try { return await tools.t(${JSON.stringify(input)}) } catch (e) { return { code: e.code, message: e.message } }`;
  return unwrap(await isobox.run(program));
}

const types = async (inputSchema) => (await new Isobox({ tools: { t: tool({ inputSchema, execute: () => 1 }) } }).describe('t')).types;

const schemas = {
  'zod 4': z.object({
    email: z.string().trim().refine((text) => text.includes('@'), 'not an address'),
    size: z.number().int().default(3),
    tags: z.array(z.string()).optional(),
  }),
  'zod 3': z3.object({
    email: z3.string().trim().refine((text) => text.includes('@'), 'not an address'),
    size: z3.number().int().default(3),
    tags: z3.array(z3.string()).optional(),
  }),
  valibot: v.object({
    email: v.pipe(v.string(), v.trim(), v.check((text) => text.includes('@'), 'not an address')),
    size: v.optional(v.pipe(v.number(), v.integer()), 3),
    tags: v.optional(v.array(v.string())),
  }),
  arktype: type({
    email: type('string.trim').narrow((text, context) => text.includes('@') || context.reject('an address, not an address')),
    size: 'number.integer = 3',
    'tags?': 'string[]',
  }),
};

for (const [name, schema] of Object.entries(schemas)) {
  test(`${name}: the model sees types, and defaults, transforms and refinements work`, async () => {
    const shown = await types(schema);
    assert.match(shown, /email: string/, shown);
    assert.match(shown, /size\?: number/, shown);
    assert.match(shown, /tags\?: (string\[\]|Array<string>)/, shown);
    assert.deepEqual(await called(schema, { email: ' a@b ', tags: ['x'] }), { given: { email: 'a@b', size: 3, tags: ['x'] } });
    const refined = await called(schema, { email: 'nobody' });
    assert.equal(refined.code, 'INVALID_INPUT', JSON.stringify(refined));
    assert.match(refined.message, /email/);
    const wrong = await called(schema, { email: 7 });
    assert.equal(wrong.code, 'INVALID_INPUT', JSON.stringify(wrong));
  });
}

test('plain JSON Schema is checked by Isobox', async () => {
  const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
  assert.deepEqual(await called(schema, { n: 1 }), { given: { n: 1 } });
  assert.equal((await called(schema, { n: 1.5 })).code, 'INVALID_INPUT');
});

test('a schema of the AI SDK is checked by its function', async () => {
  const schema = jsonSchema({ type: 'object', properties: { n: { type: 'number' } } }, { validate: (value) => (value.n > 0 ? { success: true, value: { n: value.n * 10 } } : { success: false, error: new Error('too small') }) });
  assert.deepEqual(await called(schema, { n: 2 }), { given: { n: 20 } });
  const refused = await called(schema, { n: -1 });
  assert.equal(refused.code, 'INVALID_INPUT');
  assert.match(refused.message, /too small/);
});

test('outputs are checked and changed by their schema', async () => {
  const output = z.object({ given: z.object({ n: z.number() }).transform(({ n }) => ({ n: n + 1 })) });
  assert.deepEqual(await called(z.any(), { n: 1 }, output), { given: { n: 2 } });
  const refused = await called(z.any(), { n: 'x' }, output);
  assert.equal(refused.code, 'INVALID_OUTPUT');
});

test('every kind of zod 3 has a JSON Schema that accepts what zod accepts', async () => {
  const Colour = { Red: 'red', Blue: 'blue' };
  const schema = z3.object({
    literal: z3.literal('x'), en: z3.enum(['a', 'b']), native: z3.nativeEnum(Colour), nullable: z3.string().nullable(),
    union: z3.union([z3.string(), z3.number()]), both: z3.intersection(z3.object({ a: z3.number() }), z3.object({ b: z3.number() })),
    tuple: z3.tuple([z3.string(), z3.number()]), record: z3.record(z3.number()), lazy: z3.lazy(() => z3.string()), any: z3.any(),
    kind: z3.discriminatedUnion('t', [z3.object({ t: z3.literal('a') }), z3.object({ t: z3.literal('b'), n: z3.number() })]),
    caught: z3.number().catch(1), pre: z3.preprocess((value) => Number(value), z3.number()), piped: z3.string().pipe(z3.string().min(1)),
    coerced: z3.coerce.number(), bounded: z3.number().min(1).max(3).multipleOf(1), text: z3.string().min(1).max(3).regex(/^a/), list: z3.array(z3.string()).min(1).max(2),
  });
  const input = {
    literal: 'x', en: 'a', native: 'red', nullable: null, union: 1, both: { a: 1, b: 2 }, tuple: ['x', 1], record: { a: 1 }, lazy: 'x', any: { b: [1] },
    kind: { t: 'b', n: 1 }, caught: 2, pre: '5', piped: 'x', coerced: '6', bounded: 2, text: 'abc', list: ['x'],
  };
  const { given } = await called(schema, input);
  assert.deepEqual(given, { ...input, pre: 5, coerced: 6 });
});
