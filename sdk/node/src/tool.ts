// Tools: JavaScript functions with schemas.

import { type Checked, type InputOf, type JsonSchema, type OutputOf, type Schema, readSchema, shown } from './schema';

/** What a tool knows of its call. */
export interface ToolContext<Resolution = any> {
  /** Aborts when the result is no longer needed: the program was cancelled or its time is up. */
  readonly signal: AbortSignal;
  readonly executionId: string;
  /** The number of the call within the execution. */
  readonly seq: string;
  /** The path of the tool. */
  readonly path: string;
  /** The same for every attempt of this call, and different for every other call. */
  readonly idempotencyKey: string;
  /** Counts how often the tool was started for this call, from 1. */
  readonly attempt: number;
  /** The answer to `interrupt(payload)`, once a person has given it. */
  readonly resolution: Resolution | undefined;
  /** The payload of the interrupt that `resolution` answers. */
  readonly interrupt: unknown;
  /** The time that the execution has left, in milliseconds, when the call starts. */
  readonly timeLeftMs: number | undefined;
  /** The name and the roles of the principal that runs the execution. */
  readonly caller: { readonly name: string; readonly roles: readonly string[] };
  /** The session of the execution. */
  readonly session: string | undefined;
  /** Increases whenever another process takes over a durable execution. */
  readonly fencingToken: number | undefined;
}

/** The undo of a call: a function, or a call of another tool whose input may use `$input…` and `$result…`. */
export type Revert<Input, Output> =
  | ((call: { input: Input; result: Output | undefined }, context: ToolContext) => unknown)
  | { call: string; input?: unknown };

/** A result, a promise of one, or an async iterable whose last value is the result and whose others are progress. */
export type Returned<T> = T | PromiseLike<T> | AsyncIterable<T>;

/** The definition of a tool. */
export interface ToolOptions<I extends Schema = Schema, O extends Schema = Schema> {
  /** What the tool does, for the model. */
  description?: string;
  /** What the tool accepts: a Standard Schema (zod, valibot, arktype …) or a JSON Schema. */
  inputSchema?: I;
  /** What the tool returns. */
  outputSchema?: O;
  /** Runs the tool with the checked input. */
  execute: (input: OutputOf<I>, context: ToolContext) => Returned<InputOf<O>>;
  /** Whether a person has to approve calls: all of them, or those that a function selects by their input. */
  needsApproval?: boolean | ((input: any) => boolean | PromiseLike<boolean>);
  /** Whether the tool may be called again with the same input after a crash. */
  idempotent?: boolean;
  /** Whether the tool only reads. Plans call such tools, and a rollback has nothing to undo for them. */
  readOnly?: boolean;
  /** Whether results must not be stored. */
  ephemeral?: boolean;
  /** Undoes a call in a rollback. */
  revert?: Revert<OutputOf<I>, OutputOf<O>>;
  /** The type of the function in TypeScript, in place of the one that is made from the schemas. */
  types?: string;
}

const TOOL = Symbol.for('isobox.tool');

/** A tool for `new Isobox({ tools })`. */
export interface Tool<I extends Schema = any, O extends Schema = any> extends ToolOptions<I, O> {
  readonly [TOOL]: true;
}

/** Tools by name, nested in namespaces by plain objects: `{ mail: { send: tool(…) } }` is `tools.mail.send`. */
export interface Tools {
  [name: string]: ToolOptions<any, any> | Tools;
}

const KEYS = new Set([
  'description',
  'inputSchema',
  'outputSchema',
  'execute',
  'needsApproval',
  'idempotent',
  'readOnly',
  'ephemeral',
  'revert',
  'types',
]);

/** Defines a tool. `execute` receives the input as its schema returns it, after defaults and transforms. */
export function tool<const I extends Schema, const O extends Schema>(options: ToolOptions<I, O>): Tool<I, O> {
  if (typeof options !== 'object' || options === null) {
    throw new TypeError(`tool(options): options is ${shown(options)}; expected an object with \`execute\``);
  }
  for (const key of Object.keys(options)) {
    if (!KEYS.has(key)) throw new TypeError(`tool(options): there is no option \`${key}\`; the options are ${[...KEYS].join(', ')}`);
  }
  if (typeof options.execute !== 'function') {
    throw new TypeError(`tool(options): \`execute\` is ${shown(options.execute)}; expected a function`);
  }
  return { ...options, [TOOL]: true };
}

/** Thrown by `interrupt`. */
export class Interrupt extends Error {
  readonly payload: unknown;

  constructor(payload: unknown) {
    super('the tool needs an answer from outside; do not catch this error');
    this.name = 'Interrupt';
    this.payload = payload;
  }
}

/**
 * Pauses the call from inside its tool: it needs an answer from outside, such as a login, which `payload` describes. The tool is
 * called again with the answer as `context.resolution`. The run has to be durable or stateless.
 */
export function interrupt(payload: unknown): never {
  throw new Interrupt(payload);
}

/** A failure of a tool whose message and details the program may read. */
export class ToolError extends Error {
  /** Properties that the program finds on its error. */
  readonly details: Record<string, unknown>;
  /** Whether it is unknown that the call had an effect. A durable execution then asks a person. */
  readonly inDoubt: boolean;

  constructor(message: string, options: { details?: Record<string, unknown>; inDoubt?: boolean; cause?: unknown } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.name = 'ToolError';
    this.details = options.details ?? {};
    this.inDoubt = options.inDoubt ?? false;
  }
}

/** A tool that is ready to be called. */
export interface Prepared {
  readonly path: string;
  readonly input: Checked | undefined;
  readonly output: Checked | undefined;
  readonly options: ToolOptions<any, any>;
}

/** A tool without its functions, as the native part takes it. */
export interface Definition {
  slot: number;
  path: string;
  description?: string;
  inputSchema?: JsonSchema;
  outputSchema?: JsonSchema;
  types?: string;
  needsApproval?: 'always' | 'byInput';
  idempotent?: boolean;
  readOnly?: boolean;
  ephemeral?: boolean;
  revert?: boolean | { call: string; input?: unknown };
}

/** Flattens namespaces, and reads the schemas. `owner` names the option in errors. */
export function prepare(tools: Tools, owner: string): Prepared[] {
  const prepared: Prepared[] = [];
  collect(tools, '', owner, prepared, new Set());
  return prepared;
}

function collect(tools: Tools, path: string, owner: string, into: Prepared[], above: Set<object>): void {
  if (typeof tools !== 'object' || tools === null || Array.isArray(tools)) {
    throw new TypeError(`${owner} is ${shown(tools)}; expected an object of tools and namespaces`);
  }
  if (above.has(tools)) throw new TypeError(`${owner} contains itself`);
  const within = new Set(above).add(tools);
  for (const [name, value] of Object.entries(tools)) {
    const inner = `${owner}.${name}`;
    const innerPath = path === '' ? name : `${path}.${name}`;
    if (typeof value === 'object' && value !== null && (TOOL in value || typeof value.execute === 'function')) {
      into.push(prepareOne(value as ToolOptions, innerPath, inner));
    } else {
      collect(value as Tools, innerPath, inner, into, within);
    }
  }
}

function prepareOne(options: ToolOptions, path: string, owner: string): Prepared {
  const { needsApproval, revert } = options;
  if (needsApproval !== undefined && typeof needsApproval !== 'boolean' && typeof needsApproval !== 'function') {
    throw new TypeError(`${owner}.needsApproval is ${shown(needsApproval)}; expected a boolean or a function`);
  }
  if (revert !== undefined && typeof revert !== 'function' && typeof (revert as { call?: unknown })?.call !== 'string') {
    throw new TypeError(`${owner}.revert is ${shown(revert)}; expected a function or { call, input }`);
  }
  const read = (key: 'inputSchema' | 'outputSchema', side: 'input' | 'output'): Checked | undefined =>
    options[key] === undefined ? undefined : readSchema(options[key], side, `${owner}.${key}`);
  return { path, input: read('inputSchema', 'input'), output: read('outputSchema', 'output'), options };
}

/** Returns the part of a tool that the native part knows, without its defaults. */
export function definitionOf({ path, input, output, options }: Prepared, slot: number): Definition {
  const { needsApproval, revert } = options;
  const definition: Definition = { slot, path };
  if (options.description) definition.description = options.description;
  if (needsApproval) definition.needsApproval = typeof needsApproval === 'function' ? 'byInput' : 'always';
  if (options.idempotent) definition.idempotent = options.idempotent;
  if (options.ephemeral) definition.ephemeral = options.ephemeral;
  if (input?.json !== undefined) definition.inputSchema = input.json;
  if (output?.json !== undefined) definition.outputSchema = output.json;
  if (options.readOnly !== undefined) definition.readOnly = options.readOnly;
  if (options.types !== undefined) definition.types = options.types;
  if (revert !== undefined) definition.revert = typeof revert === 'function' ? true : revert;
  return definition;
}
