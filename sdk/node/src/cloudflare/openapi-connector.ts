// A connector whose tools are the operations of an OpenAPI document.

import { type JsonSchema, shown } from '../schema';
import { CodemodeConnector, type ConnectorTools } from './connector';
import { isValidSchema } from './json-schema';
import { SchemaConverter, follow } from './openapi-schema';
import { sanitizeToolName } from './utilities';

/** A request for `OpenApiConnector.request`. */
export type OpenApiRequestOptions = {
  path: string;
  method?: string;
  /** The values of the query. */
  params?: Record<string, unknown>;
  body?: unknown;
  headers?: Record<string, string>;
};

/** A connector with one method for each operation of an OpenAPI document, and `request` for everything else. */
export abstract class OpenApiConnector<Env = unknown, Props = unknown> extends CodemodeConnector<Env, Props> {
  /** Returns the document. */
  protected abstract spec(): Record<string, unknown> | Promise<Record<string, unknown>>;

  /** Makes a request, with the credentials of the host. */
  protected abstract request(options: OpenApiRequestOptions): Promise<unknown>;

  /** Whether programs may read the document, with the method `spec`. */
  protected exposeSpec(): boolean {
    return false;
  }

  protected async tools(): Promise<ConnectorTools> {
    const document = await this.spec();
    if (typeof document !== 'object' || document === null) {
      throw new TypeError(`${this.name()}: spec() returned ${shown(document)}; expected an OpenAPI document`);
    }
    const tools: ConnectorTools = {
      request: {
        description: 'Makes a request that no other method makes.',
        inputSchema: REQUEST,
        execute: (args) => this.request(args as OpenApiRequestOptions),
      },
    };
    if (this.exposeSpec()) {
      tools['spec'] = { description: 'Returns the OpenAPI document.', inputSchema: { type: 'object', properties: {} }, execute: () => this.spec() };
    }
    for (const operation of operationsOf(document)) {
      const { name, description, inputSchema } = operation;
      tools[name] = { description, inputSchema, execute: (args) => this.request(requestOf(operation, args)) };
    }
    return tools;
  }
}

const REQUEST: JsonSchema = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    method: { type: 'string' },
    params: { type: 'object', additionalProperties: true },
    body: {},
    headers: { type: 'object', additionalProperties: { type: 'string' } },
  },
  required: ['path'],
};

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'options', 'head'];

/** An operation of a document. */
export interface Operation {
  name: string;
  description: string;
  inputSchema: JsonSchema;
  method: string;
  path: string;
  parameters: { name: string; in: 'path' | 'query' | 'header' }[];
}

/** Lists the operations of a document. Those whose names are taken are left out. */
export function operationsOf(document: Record<string, unknown>): Operation[] {
  const operations = new Map<string, Operation>();
  for (const [path, entry] of Object.entries(document['paths'] ?? {})) {
    const item = follow(document, entry) ?? {};
    for (const method of METHODS) {
      const operation = follow(document, item[method]);
      if (operation === undefined) continue;
      const id = operation['operationId'];
      const name = sanitizeToolName(typeof id === 'string' && id !== '' ? id : `${method}_${path}`);
      const isReserved = name === 'request' || name === 'spec';
      if (isReserved || operations.has(name)) {
        console.warn(`isobox: the operation ${method.toUpperCase()} ${path} is left out: the name "${name}" is ${isReserved ? 'reserved' : 'taken'}. Give it an operationId of its own.`);
        continue;
      }
      operations.set(name, readOperation(document, { path, method, name, item, operation }));
    }
  }
  return [...operations.values()];
}

function readOperation(
  document: Record<string, unknown>,
  { path, method, name, item, operation }: { path: string; method: string; name: string; item: Record<string, unknown>; operation: Record<string, unknown> },
): Operation {
  const parameters = new Map<string, Record<string, unknown>>();
  // Those of the operation replace those of its path.
  for (const given of [item['parameters'], operation['parameters']].filter(Array.isArray).flat()) {
    const parameter = follow(document, given);
    if (typeof parameter?.['name'] !== 'string' || !['path', 'query', 'header'].includes(String(parameter['in']))) continue;
    parameters.set(`${parameter['in']} ${parameter['name']}`, parameter);
  }
  const body = follow(document, operation['requestBody']);
  const inputSchema = inputOf(new SchemaConverter(document), parameters, body);
  return {
    name,
    description: [operation['summary'], operation['description']].find((text) => typeof text === 'string' && text !== '') as string | undefined ?? `${method.toUpperCase()} ${path}`,
    // The service checks its inputs.
    inputSchema: isValidSchema(inputSchema) ? inputSchema : { type: 'object' },
    method,
    path,
    parameters: [...parameters.values()].map((parameter) => ({ name: parameter['name'] as string, in: parameter['in'] as 'path' | 'query' | 'header' })),
  };
}

/** Returns the schema of an operation's input. */
function inputOf(converter: SchemaConverter, parameters: Map<string, Record<string, unknown>>, body: Record<string, unknown> | undefined): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  const required = new Set<string>();
  for (const parameter of parameters.values()) {
    const key = parameter['name'] as string;
    properties[key] = described(converter.convert(parameter['schema']), parameter['description']);
    if (parameter['required'] === true) required.add(key);
  }
  const json = (body?.['content'] as Record<string, { schema?: unknown } | undefined> | undefined)?.['application/json']?.schema;
  if (json !== undefined) {
    properties['body'] = converter.convert(json);
    if (body?.['required'] === true) required.add('body');
  }
  const { definitions } = converter;
  return {
    type: 'object',
    properties,
    ...(required.size > 0 && { required: [...required] }),
    ...(Object.keys(definitions).length > 0 && { $defs: definitions }),
  };
}

/** Adds the description of a parameter to its schema, if that has none. */
function described(schema: JsonSchema, description: unknown): JsonSchema {
  return typeof schema === 'object' && typeof description === 'string' && description !== '' ? { description, ...schema } : schema;
}

/** Returns the request of a call. */
export function requestOf({ name, method, path, parameters }: Operation, args: unknown): OpenApiRequestOptions {
  const input = (typeof args === 'object' && args !== null ? args : {}) as Record<string, unknown>;
  const params: Record<string, unknown> = {};
  const headers: Record<string, string> = {};
  let filled = path;
  for (const { name: key, in: place } of parameters) {
    const value = Object.hasOwn(input, key) ? input[key] : undefined;
    if (place === 'path') filled = filled.replaceAll(`{${key}}`, () => segment(name, key, value));
    else if (value === undefined) continue;
    else if (place === 'query') params[key] = value;
    else headers[key] = String(value);
  }
  return {
    path: filled,
    method: method.toUpperCase(),
    ...(Object.keys(params).length > 0 && { params }),
    ...(Object.hasOwn(input, 'body') && { body: input['body'] }),
    ...(Object.keys(headers).length > 0 && { headers }),
  };
}

/** Returns a value as one segment of a path. A value that would change the path is refused. */
function segment(operation: string, key: string, value: unknown): string {
  const text = value === undefined || value === null ? '' : String(value);
  if (text === '' || text === '.' || text === '..') throw new Error(`${operation}: the path parameter "${key}" is ${shown(value)}; expected a segment of a path`);
  return encodeURIComponent(text);
}
