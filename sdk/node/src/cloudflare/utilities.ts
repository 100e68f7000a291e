// Code and result utilities.

import { declareTools } from '../native';
import { type JsonSchema, readSchema } from '../schema';
import { definitionOf } from '../tool';

const RESERVED = new Set(
  ('abstract arguments await boolean break byte case catch char class const continue debugger default delete do double else enum eval export extends ' +
    'false final finally float for function goto if implements import in instanceof int interface let long native new null package private protected ' +
    'public return short static super switch synchronized this throw throws transient true try typeof undefined var void volatile while with yield').split(' '),
);

/** Makes an identifier of the name of a tool. */
export function sanitizeToolName(name: string): string {
  const kept = (name ?? '').replace(/[-.\s]/g, '_').replace(/[^\w$]/g, '');
  if (kept === '') return '_';
  const identifier = /^\d/.test(kept) ? `_${kept}` : kept;
  return RESERVED.has(identifier) ? `${identifier}_` : identifier;
}

export interface TruncateOptions {
  maxChars?: number;
  /** The default is 6,000, of four characters each. */
  maxTokens?: number;
}

/** Cuts a text, and says how long it was. */
export function truncateResponse(text: string, { maxTokens = 6000, maxChars = maxTokens * 4 }: TruncateOptions = {}): string {
  if (text.length <= maxChars) return text;
  const tokens = Math.ceil(text.length / 4).toLocaleString('en-US');
  const limit = maxTokens.toLocaleString('en-US');
  return `${text.slice(0, maxChars)}\n\n--- TRUNCATED ---\nResponse was ~${tokens} tokens (limit: ${limit}). Narrow the request to reduce response size.`;
}

/** Leaves small values as they are. Larger ones become cut JSON. */
export function truncateResult(value: unknown, options: TruncateOptions = {}): unknown {
  if (typeof value === 'string') return truncateResponse(value, options);
  let json: string | undefined;
  try {
    json = JSON.stringify(value);
  } catch {
    return value;
  }
  const { maxTokens = 6000, maxChars = maxTokens * 4 } = options;
  return json === undefined || json.length <= maxChars ? value : truncateResponse(json, options);
}

export interface JsonSchemaToolDescriptor {
  description?: string;
  inputSchema: JsonSchema;
  outputSchema?: JsonSchema;
}

export type JsonSchemaToolDescriptors = Record<string, JsonSchemaToolDescriptor>;

/** Returns declarations of tools in the namespace `codemode`. A schema that cannot be read is `unknown`. */
export function generateTypesFromJsonSchema(tools: JsonSchemaToolDescriptors): string {
  return declareNamespace('codemode', tools);
}

/** Returns declarations of tools with schemas of any library. */
export function declareNamespace(namespace: string, tools: Record<string, { description?: string; inputSchema?: unknown; outputSchema?: unknown }>): string {
  const read = (schema: unknown, side: 'input' | 'output'): ReturnType<typeof readSchema> | undefined => {
    try {
      return schema === undefined ? undefined : readSchema(schema, side, 'schema');
    } catch {
      return undefined;
    }
  };
  const declared = Object.entries(tools).map(([name, { description, inputSchema, outputSchema }], slot) => {
    const options = { execute: () => null, ...(description !== undefined && { description }) };
    return definitionOf({ path: sanitizeToolName(name), input: read(inputSchema, 'input'), output: read(outputSchema, 'output'), options }, slot);
  });
  const typed = (): string => declareTools(declared);
  const untyped = (): string => declareTools(declared.map(({ inputSchema: _, outputSchema: __, ...rest }) => rest));
  let text: string;
  try {
    text = typed();
  } catch {
    text = untyped();
  }
  return text.replace(/^declare const tools:/m, `declare const ${namespace}:`);
}
