// JSON Schema of zod 3, which has no converter of its own. What it cannot say is left open: zod checks it.

import type { JsonSchema } from './schema';

type Definition = { typeName?: string; [key: string]: any };

/** Tells whether this is a schema of zod 3. */
export function isZod3(schema: object): boolean {
  const definition = (schema as { _def?: Definition })._def;
  return typeof definition?.typeName === 'string' && definition.typeName.startsWith('Zod');
}

/** Returns the JSON Schema of a schema of zod 3. */
export function convertZod3(schema: object, side: 'input' | 'output'): JsonSchema {
  const json = convert((schema as { _def: Definition })._def, side, 0);
  const { description } = schema as { description?: string };
  return description === undefined || json === true ? json : { description, ...(json as object) };
}

/** Deeper schemas are left open. Recursive ones would have no end. */
const MAX_DEPTH = 12;

function convert(definition: Definition, side: 'input' | 'output', depth: number): JsonSchema {
  if (depth > MAX_DEPTH) return true;
  const inner = (schema: { _def: Definition; description?: string }): any => {
    const json = convert(schema._def, side, depth + 1);
    return schema.description === undefined || json === true ? json : { description: schema.description, ...(json as object) };
  };
  switch (definition.typeName) {
    case 'ZodString':
      return { type: 'string', ...stringChecks(definition['checks'] ?? []) };
    case 'ZodNumber':
      return definition['coerce'] && side === 'input' ? true : numberChecks(definition['checks'] ?? []);
    case 'ZodBoolean':
      return definition['coerce'] && side === 'input' ? true : { type: 'boolean' };
    case 'ZodNull':
      return { type: 'null' };
    case 'ZodNever':
      return false;
    case 'ZodLiteral':
      return { const: definition['value'] };
    case 'ZodEnum':
      return { enum: definition['values'] };
    case 'ZodNativeEnum': {
      const all = definition['values'] as Record<string, unknown>;
      // An enum of numbers also maps each number back to its name.
      const names = Object.keys(all).filter((key) => typeof all[all[key] as string] !== 'number');
      return { enum: names.map((key) => all[key]) };
    }
    case 'ZodArray': {
      const { minLength, maxLength, exactLength } = definition as Record<string, { value: number } | null>;
      const json: Record<string, unknown> = { type: 'array', items: inner(definition['type']) };
      const least = exactLength ?? minLength;
      const most = exactLength ?? maxLength;
      if (least) json['minItems'] = least.value;
      if (most) json['maxItems'] = most.value;
      return json;
    }
    case 'ZodTuple': {
      const items = (definition['items'] as any[]).map(inner);
      const rest = definition['rest'];
      return { type: 'array', prefixItems: items, minItems: items.length, items: rest ? inner(rest) : false };
    }
    case 'ZodRecord':
      return { type: 'object', additionalProperties: inner(definition['valueType']) };
    case 'ZodObject': {
      const shape = definition['shape']() as Record<string, { _def: Definition }>;
      const properties: Record<string, unknown> = {};
      const required: string[] = [];
      for (const [key, value] of Object.entries(shape)) {
        properties[key] = inner(value);
        if (!isOptional(value._def, side)) required.push(key);
      }
      const json: Record<string, unknown> = { type: 'object', properties };
      if (required.length > 0) json['required'] = required;
      if (definition['unknownKeys'] === 'strict') json['additionalProperties'] = false;
      return json;
    }
    case 'ZodUnion':
      return { anyOf: (definition['options'] as any[]).map(inner) };
    case 'ZodDiscriminatedUnion':
      return { anyOf: [...definition['options'].values()].map(inner) };
    case 'ZodIntersection':
      return { allOf: [inner(definition['left']), inner(definition['right'])] };
    case 'ZodNullable':
      return { anyOf: [inner(definition['innerType']), { type: 'null' }] };
    case 'ZodOptional':
    case 'ZodReadonly':
    case 'ZodCatch':
      return inner(definition['innerType']);
    case 'ZodBranded':
      return inner(definition['type']);
    case 'ZodDefault': {
      const json = inner(definition['innerType']);
      return side === 'input' && json !== true ? { ...json, default: definition['defaultValue']() } : json;
    }
    case 'ZodEffects': {
      const { type } = definition['effect'] as { type: string };
      // A transform changes the type of the output, and a preprocessor accepts any input.
      const isKnown = type === 'refinement' || (type === 'transform' && side === 'input');
      return isKnown ? inner(definition['schema']) : true;
    }
    case 'ZodPipeline':
      return inner(side === 'input' ? definition['in'] : definition['out']);
    case 'ZodLazy':
      return inner(definition['getter']());
    default:
      return true;
  }
}

function isOptional(definition: Definition, side: 'input' | 'output'): boolean {
  switch (definition.typeName) {
    case 'ZodOptional':
    case 'ZodAny':
    case 'ZodUnknown':
      return true;
    case 'ZodDefault':
    case 'ZodCatch':
      return side === 'input';
    case 'ZodNullable':
    case 'ZodReadonly':
      return isOptional(definition['innerType']._def, side);
    case 'ZodEffects':
      return isOptional(definition['schema']._def, side);
    default:
      return false;
  }
}

function stringChecks(checks: { kind: string; value?: any; regex?: RegExp }[]): Record<string, unknown> {
  const json: Record<string, unknown> = {};
  for (const { kind, value, regex } of checks) {
    if (kind === 'min' || kind === 'length') json['minLength'] = value;
    if (kind === 'max' || kind === 'length') json['maxLength'] = value;
    if (kind === 'regex' && regex?.flags === '') json['pattern'] = regex.source;
    if (kind === 'email' || kind === 'uuid' || kind === 'date' || kind === 'time') json['format'] = kind;
    if (kind === 'url') json['format'] = 'uri';
    if (kind === 'datetime') json['format'] = 'date-time';
  }
  return json;
}

function numberChecks(checks: { kind: string; value?: number; inclusive?: boolean }[]): Record<string, unknown> {
  const json: Record<string, unknown> = { type: checks.some(({ kind }) => kind === 'int') ? 'integer' : 'number' };
  for (const { kind, value, inclusive } of checks) {
    if (kind === 'min') json[inclusive ? 'minimum' : 'exclusiveMinimum'] = value;
    if (kind === 'max') json[inclusive ? 'maximum' : 'exclusiveMaximum'] = value;
    if (kind === 'multipleOf') json['multipleOf'] = value;
  }
  return json;
}
