// The tools that a role allows, and what programs may learn about them.

import { check } from '../check';
import { readSchema, shown } from '../schema';
import { ToolError } from '../tool';
import type { DescribeTools, Role, SearchTools, ToolDefinition } from './types';

/** Paths that the proxy itself has. */
export const OWN = ['search', 'describe.tool'] as const;

const MAX_RESULTS = 100;
const USUAL_RESULTS = 10;

/** Checks definitions, and returns them by path. `owner` names the function in errors. */
export function byPath(owner: string, tools: ToolDefinition[]): Map<string, ToolDefinition> {
  check(`${owner}: \`tools\``, tools, 'list');
  const found = new Map<string, ToolDefinition>();
  for (const [at, tool] of tools.entries()) {
    const path: unknown = tool?.path;
    if (typeof path !== 'string' || !/^\w[\w$-]*(\.\w[\w$-]*)*$/.test(path)) {
      throw new TypeError(`${owner}: \`tools[${at}].path\` is ${shown(path)}; expected names separated by dots, like "github.issues.list"`);
    }
    if ((OWN as readonly string[]).includes(path)) throw new TypeError(`${owner}: \`tools[${at}].path\` is "${path}"; expected a path that the proxy itself does not have`);
    if (found.has(path)) throw new TypeError(`${owner}: \`tools[${at}].path\` is "${path}"; expected a path that no other tool has`);
    found.set(path, tool);
  }
  return found;
}

/** Tells whether a role allows a path. */
export function allows({ patterns }: Role, path: string): boolean {
  return patterns.some((pattern) => pattern === '*' || matches(path.split('.'), pattern.split('.')));
}

function matches([name, ...names]: string[], [pattern, ...patterns]: string[]): boolean {
  if (pattern === undefined) return name === undefined;
  if (pattern === '**') return matches(name === undefined ? [] : [name, ...names], patterns) || (name !== undefined && matches(names, [pattern, ...patterns]));
  return name !== undefined && (pattern === '*' || pattern === name) && matches(names, patterns);
}

/** Answers `tools.search` and `tools.describe.tool`. */
export class Catalog {
  readonly #tools: ReadonlyMap<string, ToolDefinition>;
  readonly #search: SearchTools;
  readonly #describe: DescribeTools;

  constructor(tools: ReadonlyMap<string, ToolDefinition>, search: SearchTools | undefined, describe: DescribeTools | undefined) {
    this.#tools = tools;
    this.#search = search ?? ((query, limit) => this.#byWords(query, limit));
    this.#describe = describe ?? ((path) => this.#tools.get(path));
  }

  /** Finds tools. Those that are not in the catalog are left out. */
  async search(input: unknown): Promise<unknown[]> {
    const { query, limit = USUAL_RESULTS } = (input ?? {}) as { query?: unknown; limit?: unknown };
    if (typeof query !== 'string') throw new ToolError(`tools.search: \`query\` is ${shown(query)}; expected a string`);
    if (!Number.isSafeInteger(limit) || (limit as number) < 1) throw new ToolError(`tools.search: \`limit\` is ${shown(limit)}; expected a whole number of at least 1`);
    const most = Math.min(limit as number, MAX_RESULTS);
    const found = await this.#search(query, most);
    if (!Array.isArray(found)) throw new TypeError(`searchTools returned ${shown(found)}; expected an array`);
    return found.filter((tool) => this.#tools.has(tool?.path)).slice(0, most).map(plain);
  }

  /** Returns the definition of a tool. */
  async describe(input: unknown): Promise<unknown> {
    const { path } = (input ?? {}) as { path?: unknown };
    if (typeof path !== 'string') throw new ToolError(`tools.describe.tool: \`path\` is ${shown(path)}; expected a string`);
    if (!this.#tools.has(path)) throw new ToolError(`Tool not found: ${path}`);
    const found = await this.#describe(path);
    return typeof found === 'object' && found !== null ? plain(found as ToolDefinition) : found;
  }

  /** Ranks tools by how many words of a query their path, name and description have. */
  #byWords(query: string, limit: number): ToolDefinition[] {
    const words = query.toLowerCase().split(/\W+/).filter(Boolean);
    const ranked = [...this.#tools.values()].map((tool) => {
      const text = `${tool.path} ${tool.name ?? ''} ${tool.description ?? ''}`.toLowerCase();
      return { tool, score: words.filter((word) => text.includes(word)).length };
    });
    return ranked.filter(({ score }) => score > 0).sort((one, other) => other.score - one.score).slice(0, limit).map(({ tool }) => tool);
  }
}

/** Writes schemas of libraries as JSON Schema. */
function plain(tool: ToolDefinition): Record<string, unknown> {
  const { inputSchema, outputSchema, ...rest } = tool;
  return {
    ...rest,
    ...(inputSchema !== undefined && { inputSchema: jsonOf(inputSchema, 'input') }),
    ...(outputSchema !== undefined && { outputSchema: jsonOf(outputSchema, 'output') }),
  };
}

function jsonOf(schema: unknown, side: 'input' | 'output'): unknown {
  try {
    return readSchema(schema, side, 'schema').json;
  } catch {
    return undefined;
  }
}
