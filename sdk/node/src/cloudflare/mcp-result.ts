// Results of MCP tools as plain values.

/** The parts of a result of an MCP tool that are read. */
interface McpResult {
  toolResult?: unknown;
  isError?: boolean;
  structuredContent?: unknown;
  content?: { type: string; text?: string }[];
}

/**
 * Returns the value of an MCP result: `toolResult`, `structuredContent`, its text (as JSON where it is JSON), or else the whole result.
 * Throws the text of an error.
 */
export function plainResult(result: unknown): unknown {
  if (typeof result !== 'object' || result === null) return result;
  const { toolResult, isError, structuredContent, content } = result as McpResult;
  if (toolResult !== undefined) return toolResult;
  const parts = Array.isArray(content) ? content : [];
  const texts = parts.filter(({ type }) => type === 'text').map(({ text }) => text ?? '');
  const text = texts.join('\n');
  if (isError === true) throw new Error(text === '' ? 'Tool call failed' : text);
  if (structuredContent !== undefined && structuredContent !== null) return structuredContent;
  if (texts.length === 0 || texts.length < parts.length) return result;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
