// What the model sees of a result.

import type { CodeModeModelOutputOptions, CodeModeModelVisibleBridgeSummary, CodeModeToolSet, CodeModeTrace } from './types';

/** The output of a nested call, by its number. */
export type NestedOutputs = Map<number, { input: unknown; output: unknown }>;

/** Returns a result as the AI SDK shows one to a model. */
export function defaultModelOutput(output: unknown): { type: 'text'; value: string } | { type: 'json'; value: any } {
  return typeof output === 'string' ? { type: 'text', value: output } : { type: 'json', value: output ?? null };
}

/** Lists the nested calls of a trace, without inputs. */
export async function summarise(
  trace: CodeModeTrace | undefined,
  outputs: NestedOutputs,
  tools: CodeModeToolSet,
  options: CodeModeModelOutputOptions,
): Promise<CodeModeModelVisibleBridgeSummary[]> {
  const entries: CodeModeModelVisibleBridgeSummary[] = [];
  for (const entry of trace?.bridgeRequests ?? []) {
    if (entries.length >= Math.max(0, options.maxSummaryEntries ?? 32)) break;
    const { replayed } = entry;
    if (entry.kind === 'fetch') {
      if (options.includeFetchSummary === true) entries.push({ kind: 'fetch', url: entry.url, method: entry.method, status: entry.status, replayed });
      continue;
    }
    const { toolName, toolCallId, status } = entry;
    const known = options.includeNestedToolOutputs === true && status === 'fulfilled' ? outputs.get(entry.bridgeIndex) : undefined;
    const tool = tools[toolName];
    const output = known && (tool?.toModelOutput === undefined ? defaultModelOutput(known.output) : await tool.toModelOutput({ toolCallId, ...known }));
    entries.push({ kind: 'tool', toolName, toolCallId, status, replayed, ...(output && { output }) });
  }
  return entries;
}
