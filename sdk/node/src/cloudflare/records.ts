// Records of executions, as the runtime handle returns them.

import type { Isobox } from '../isobox';
import type { CallRecord, Outcome } from '../outcome';
import type { Snippet as StoredSnippet } from '../snippets';
import type { ConnectorTool } from './connector';
import { lineOf } from './executor';
import { readProgram } from './program';

export const DEFAULT_MAX_EXECUTIONS = 50;
export const DEFAULT_PAUSED_TTL_MS = 24 * 60 * 60 * 1000;
export const MAX_DURABLE_VALUE_BYTES = 1_000_000;

export type ProxyToolInput = { code: string };
export type PendingAction = { executionId: string; seq: number; connector: string; method: string; args: unknown };
export type ProxyToolOutput =
  | { status: 'completed'; executionId: string; result: unknown; logs?: string[] }
  | { status: 'paused'; executionId: string; pending: PendingAction[] }
  | { status: 'error'; executionId: string; error: string; logs?: string[] };
export type TransformResult = (result: unknown) => unknown | Promise<unknown>;
export type ExecutionStatus = 'running' | 'paused' | 'completed' | 'error' | 'rejected' | 'rolled_back';
export type ToolLogEntry = {
  seq: number;
  connector: string;
  method: string;
  args: unknown;
  result?: unknown;
  requiresApproval: boolean;
  ephemeral?: boolean;
  state: 'executing' | 'applied' | 'pending' | 'reverted' | 'error';
};
/** A decision about a call, when an execution is continued. */
export type ToolDecision = { kind: 'replay'; result: unknown } | { kind: 'execute'; seq: number } | { kind: 'pause'; seq: number };
export type ExecutionState = {
  id: string;
  code: string;
  status: ExecutionStatus;
  log: ToolLogEntry[];
  result?: unknown;
  error?: string;
  logs?: string[];
  /** The connectors of the runtime when the execution began. */
  connectors?: string[];
  createdAt: number;
  updatedAt: number;
};

/** How code is saved. */
export interface SaveSnippetOptions {
  description?: string;
  inputSchema?: unknown;
  executionId: string;
}

/** Code that is saved under a name. */
export interface Snippet {
  name: string;
  description: string;
  code: string;
  savedAt: number;
  inputSchema?: unknown;
  /** The connectors of the runtime when its execution began. */
  connectors?: string[];
}

/** What `codemode.search` returns to programs. */
export type SearchOutput = { results: SearchResult[]; total: number; truncated: boolean };
export type SearchResult = { path: string; connector: string; method: string; description?: string; requiresApproval?: boolean; kind: 'method' | 'snippet'; score: number };
/** What `codemode.describe` returns to programs. */
export type DescribeOutput = { path: string; description?: string; types: string; kind: 'connector' | 'method' | 'snippet' };

function split(path: string): { connector: string; method: string } {
  const [connector = '', ...rest] = path.split('.');
  return { connector, method: rest.join('.') };
}

/** Returns the number of a call. Those of calls within a snippet, such as `3.0`, are between the numbers of two other calls. */
function numberOf(seq: string): number {
  return seq.split('.').reduce((sum, part, depth) => sum + (depth === 0 ? Number(part) : (Number(part) + 1) / 10_000 ** depth), 0);
}

/** Lists the calls that a paused execution waits for. */
export function pendingOf({ executionId, pending }: Extract<Outcome, { status: 'paused' }>): PendingAction[] {
  return pending.map(({ seq, path, input }) => ({ executionId, seq: numberOf(seq), ...split(path), args: input }));
}

const STATES: Record<CallRecord['state'], ToolLogEntry['state']> = {
  issued: 'executing',
  started: 'executing',
  pending: 'pending',
  applied: 'applied',
  failed: 'error',
  denied: 'error',
  'cancelled-unknown': 'error',
  'in-doubt': 'error',
  reverted: 'reverted',
};

export type Stored = Awaited<ReturnType<Isobox['executions']['get']>>;

/** Returns a stored snippet under its own name. */
export function snippetOf(name: string, { description, files, entry, saved, inputSchema }: StoredSnippet): Snippet {
  const { code, connectors } = readProgram(files[entry] ?? '');
  return { name, description, code, savedAt: saved, ...(inputSchema !== undefined && { inputSchema }), ...(connectors !== undefined && { connectors }) };
}

/** Returns the record of a stored execution. */
export function stateOf(
  { id, status, files, entry, outcome }: Stored,
  { createdAt, updatedAt, tools }: { createdAt: number; updatedAt: number; tools: Map<string, ConnectorTool> },
): ExecutionState {
  const { code, connectors } = readProgram(files[entry] ?? '');
  const calls = outcome?.calls.filter(({ reverts, path }) => reverts === undefined && tools.has(path)) ?? [];
  const log = calls.map(({ seq, path, state, input, output }): ToolLogEntry => {
    const { requiresApproval = false, replay } = tools.get(path) ?? {};
    return { seq: numberOf(seq), ...split(path), args: input, ...(output !== undefined && { result: output }), requiresApproval, ...(replay === 'reexecute' && { ephemeral: true }), state: STATES[state] };
  });
  const logs = outcome?.logs.map(lineOf) ?? [];
  return {
    id,
    code,
    status: statusOf(status),
    log,
    ...(outcome?.status === 'completed' && { result: outcome.result }),
    ...(outcome?.status === 'failed' && { error: outcome.error.message }),
    ...(logs.length > 0 && { logs }),
    ...(connectors !== undefined && { connectors }),
    createdAt,
    updatedAt,
  };
}

function statusOf(status: Stored['status']): ExecutionStatus {
  switch (status) {
    case 'running':
    case 'orphaned':
      return 'running';
    case 'paused':
    case 'sleeping':
    case 'decided':
      return 'paused';
    case 'completed':
    case 'rejected':
    case 'rolled_back':
      return status;
    case 'failed':
    case 'unreadable':
      return 'error';
  }
}
