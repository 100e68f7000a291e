// Schemas of OpenAPI documents as JSON Schemas that need nothing else of their document.

import type { JsonSchema } from '../schema';

/** The maximum number of schemas in one input. What is beyond accepts anything. */
const MAXIMUM = 10_000;

/** Keywords whose values are schemas, lists of schemas, or schemas by name. */
const ONE = new Set(['items', 'additionalProperties', 'not', 'contains', 'propertyNames', 'if', 'then', 'else']);
const LIST = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const BY_NAME = new Set(['properties', 'dependentSchemas']);

/**
 * Keywords that say nothing here, or something else than in JSON Schema. Patterns are often in the dialect of another language, and may take
 * long to compile: the service checks them.
 */
const IGNORED = new Set(['nullable', 'discriminator', 'xml', 'externalDocs', 'example', '$defs', 'definitions', '$schema', '$id', 'pattern', 'patternProperties']);

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Finds what a local reference such as `#/components/schemas/Pet` points to. */
export function resolvePointer(document: unknown, reference: unknown): unknown {
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return undefined;
  let found: unknown = document;
  for (const part of reference.slice(2).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Record<string, unknown>)[key];
  }
  return found;
}

/** Follows the reference of an object that is not a schema, such as a parameter. */
export function follow(document: unknown, value: unknown): Record<string, unknown> | undefined {
  const seen = new Set<unknown>();
  let found = value;
  while (isObject(found) && found['$ref'] !== undefined && !seen.has(found)) {
    seen.add(found);
    found = resolvePointer(document, found['$ref']);
  }
  return isObject(found) && found['$ref'] === undefined ? found : undefined;
}

/** Converts the schemas of one input. References become definitions of that input, so that recursive types stay what they are. */
export class SchemaConverter {
  readonly #document: unknown;
  readonly #names = new Map<string, string>();
  readonly definitions: Record<string, JsonSchema> = {};
  #count = 0;

  constructor(document: unknown) {
    this.#document = document;
  }

  convert(schema: unknown, above: readonly object[] = []): JsonSchema {
    if (typeof schema === 'boolean') return schema;
    if (!isObject(schema) || above.includes(schema) || above.length > 100 || ++this.#count > MAXIMUM) return {};
    const within = [...above, schema];
    if (schema['$ref'] !== undefined) return this.#reference(schema);
    const converted: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(schema)) {
      if (ONE.has(key)) converted[key] = Array.isArray(value) ? value.map((one) => this.convert(one, within)) : this.convert(value, within);
      else if (LIST.has(key) && Array.isArray(value)) converted[key] = value.map((one) => this.convert(one, within));
      else if (BY_NAME.has(key) && isObject(value)) converted[key] = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.convert(one, within)]));
      else if (!IGNORED.has(key)) converted[key] = value;
    }
    // OpenAPI 3.0 has these in forms of its own.
    for (const [exclusive, bound] of BOUNDS) {
      if (typeof converted[exclusive] !== 'boolean') continue;
      const isExclusive = converted[exclusive] && converted[bound] !== undefined;
      delete converted[exclusive];
      if (!isExclusive) continue;
      converted[exclusive] = converted[bound];
      delete converted[bound];
    }
    return schema['nullable'] === true ? nullable(converted) : converted;
  }

  #reference({ $ref, description }: Record<string, unknown>): JsonSchema {
    const target = resolvePointer(this.#document, $ref);
    if (!isObject(target)) return {};
    const reference = $ref as string;
    let name = this.#names.get(reference);
    if (name === undefined) {
      const short = reference.slice(reference.lastIndexOf('/') + 1).replace(/[^\w-]/g, '_');
      name = Object.hasOwn(this.definitions, short) ? `${short}_${this.#names.size}` : short;
      this.#names.set(reference, name);
      this.definitions[name] = {};
      this.definitions[name] = this.convert(target);
    }
    return { $ref: `#/$defs/${name}`, ...(typeof description === 'string' && { description }) };
  }
}

const BOUNDS = [
  ['exclusiveMinimum', 'minimum'],
  ['exclusiveMaximum', 'maximum'],
] as const;

function nullable(schema: Record<string, unknown>): JsonSchema {
  const { type, enum: values } = schema;
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  return { ...schema, type: [type, 'null'], ...(Array.isArray(values) && !values.includes(null) && { enum: [...values, null] }) };
}
