// Schemas: Standard Schema of any library, schemas of the AI SDK, and plain JSON Schema.

import { convertZod3, isZod3 } from './zod3';

/** A schema of a library that implements Standard Schema: zod, valibot, arktype and others. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** A JSON Schema. Isobox checks values against it. */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown };

/** A schema of the AI SDK: what its function `jsonSchema()` returns. */
export interface AiSchema<Output = unknown> {
  readonly jsonSchema: unknown;
  readonly validate?: ((value: unknown) => unknown) | undefined;
  readonly _type?: Output;
}

/** Any schema that a tool may have. */
export type Schema = StandardSchema<any, any> | AiSchema<any> | JsonSchema;

/** The type of the values that a schema accepts. */
export type InputOf<S> = S extends { readonly '~standard': { readonly types?: infer T } }
  ? NonNullable<T> extends { readonly input: infer I }
    ? I
    : unknown
  : S extends { readonly _type?: infer T; readonly jsonSchema: unknown }
    ? T
    : any;

/** The type of the values that a schema returns, after its defaults and transforms. */
export type OutputOf<S> = S extends { readonly '~standard': { readonly types?: infer T } }
  ? NonNullable<T> extends { readonly output: infer O }
    ? O
    : unknown
  : S extends { readonly _type?: infer T; readonly jsonSchema: unknown }
    ? T
    : any;

/** A schema in the two forms that a tool needs. */
export interface Checked {
  /** What the model sees, and what Isobox checks. Undefined if the library cannot say. */
  readonly json: JsonSchema | undefined;
  /** Checks a value with the library that wrote the schema. Undefined if Isobox's check is all there is. */
  readonly parse: ((value: unknown) => Parsed | Promise<Parsed>) | undefined;
}

/** A checked value, or what is wrong with it in one line. */
export type Parsed = { readonly value: unknown } | { readonly problem: string };

const AI_SCHEMA = Symbol.for('vercel.ai.schema');

/** The side of a schema: before or after its transforms. */
type Side = 'input' | 'output';

/** The schemas of libraries that were read, by side. Libraries do not change them, and writing JSON Schema takes long. */
const READ: Record<Side, WeakMap<object, Checked>> = { input: new WeakMap(), output: new WeakMap() };

/** Reads a schema. `owner` names it in errors. */
export function readSchema(schema: unknown, side: Side, owner: string): Checked {
  if (typeof schema === 'boolean') return { json: schema, parse: undefined };
  if ((typeof schema !== 'object' && typeof schema !== 'function') || schema === null || Array.isArray(schema)) {
    throw new TypeError(`${owner} is ${shown(schema)}; expected a Standard Schema (zod, valibot, arktype …) or a JSON Schema`);
  }
  if (AI_SCHEMA in schema) return ofAiSdk(schema as unknown as AiSchema, owner);
  if ('~standard' in schema) {
    const read = READ[side].get(schema) ?? ofLibrary(schema as StandardSchema, side, owner);
    READ[side].set(schema, read);
    return read;
  }
  if (typeof schema === 'function') {
    throw new TypeError(`${owner} is a function; expected a Standard Schema (zod, valibot, arktype …) or a JSON Schema`);
  }
  return { json: schema as JsonSchema, parse: undefined };
}

function ofAiSdk(schema: AiSchema, owner: string): Checked {
  const json = schema.jsonSchema;
  if (typeof json !== 'object' || json === null) throw new TypeError(`${owner} is a schema of the AI SDK without a JSON Schema`);
  const { validate } = schema;
  if (validate === undefined) return { json: json as JsonSchema, parse: undefined };
  const parse = async (value: unknown): Promise<Parsed> => {
    const checked = (await validate(value)) as { success: boolean; value?: unknown; error?: Error };
    return checked.success ? { value: checked.value } : { problem: oneLine(checked.error?.message ?? 'it is not valid') };
  };
  // A promise of a JSON Schema cannot be shown; the library checks values all the same.
  return { json: json instanceof Promise ? undefined : (json as JsonSchema), parse };
}

function ofLibrary(schema: StandardSchema, side: Side, owner: string): Checked {
  const standard = schema['~standard'];
  const read = (result: StandardResult<unknown>): Parsed =>
    result.issues === undefined ? { value: result.value } : { problem: problemOf(result.issues) };
  const parse = (value: unknown): Parsed | Promise<Parsed> => {
    const result = standard.validate(value);
    return result instanceof Promise ? result.then(read) : read(result);
  };
  return { json: jsonSchemaOf(schema, side, owner), parse };
}

/** Asks the library of a schema for its JSON Schema. */
function jsonSchemaOf(schema: StandardSchema, side: Side, owner: string): JsonSchema | undefined {
  const any = schema as any;
  const { vendor } = schema['~standard'];
  try {
    if (vendor === 'zod' && '_zod' in schema) {
      const options = { io: side, unrepresentable: 'any' };
      if (typeof any.toJSONSchema === 'function') return any.toJSONSchema(options);
      return load('zod/v4/core').toJSONSchema(schema, options);
    }
    if (isZod3(schema)) return convertZod3(schema, side);
    if (vendor === 'arktype') {
      const part = side === 'input' ? (any.in ?? any) : (any.out ?? any);
      return part.toJsonSchema({ fallback: (context: { base: unknown }) => context.base });
    }
    if (vendor === 'valibot') return load('@valibot/to-json-schema').toJsonSchema(schema, { typeMode: side, errorMode: 'ignore' });
    const trait = any['~standard'].jsonSchema;
    return trait?.[side]?.({ target: 'draft-2020-12' });
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new TypeError(`${owner}: its library (${vendor}) cannot write it as a JSON Schema: ${message}`, { cause });
  }
}

/** Loads an optional package of the host. */
function load(name: string): any {
  try {
    return require(name);
  } catch (cause) {
    throw new Error(`the package ${name} is not installed`, { cause });
  }
}

/** Describes issues in one line, each with its path. */
function problemOf(issues: readonly StandardIssue[]): string {
  const lines = issues.slice(0, 5).map(({ message, path }) => {
    const keys = (path ?? []).map((part) => String(typeof part === 'object' ? part.key : part));
    return keys.length === 0 ? message : `\`/${keys.join('/')}\`: ${message}`;
  });
  const more = issues.length > 5 ? `; and ${issues.length - 5} more` : '';
  return oneLine(lines.join('; ') + more);
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, 1000);
}

/** Shows a value in an error message. */
export function shown(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'symbol' || typeof value === 'bigint' || value === undefined) return String(value);
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    text = undefined;
  }
  text ??= Object.prototype.toString.call(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
