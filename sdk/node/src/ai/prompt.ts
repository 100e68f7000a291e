// The description of the tool, for the model.

import { declareTools } from '../native';
import { type Checked, readSchema } from '../schema';
import { definitionOf } from '../tool';
import { fetchRules } from './fetch';
import { identifiers, schemaOf } from './invocation';
import type { CodeModeOptions, CodeModeToolSet } from './types';

/** Describes the sandbox, the tools with their types, and `fetch`. */
export function describe(tools: CodeModeToolSet, options: CodeModeOptions): string {
  const names = identifiers(Object.keys(tools));
  const parts = [
    'Runs a program in JavaScript or TypeScript in an isolated sandbox.',
    '',
    'Put the whole program in `js`. Top-level `await` and `return` work. Return a JSON-serializable value.',
    'Call tools as `await tools.name(input)`; use `Promise.all` for independent calls, and await every call before returning.',
    fetchLine(options),
    '',
  ];
  if (names.length === 0) return [...parts, 'There are no tools.'].join('\n');
  const definitions = names.map(([name, path], slot) => {
    const tool = tools[name] as { description?: string; title?: string; inputSchema?: unknown; outputSchema?: unknown };
    const description = tool.description ?? tool.title;
    return definitionOf({ path, input: read(schemaOf(tool), 'input'), output: read(tool.outputSchema, 'output'), options: { execute: () => null, ...(typeof description === 'string' && { description }) } }, slot);
  });
  return [...parts, 'Tools:', '```ts', declareTools(definitions).trim(), '```', '', 'Example:', '```ts', ...example(names.map(([, path]) => path)), '```'].join('\n');
}

/** Reads a schema for its types. One that cannot be read has none. */
function read(schema: unknown, side: 'input' | 'output'): Checked | undefined {
  try {
    return schema === undefined ? undefined : readSchema(schema, side, 'schema');
  } catch {
    return undefined;
  }
}

function example([first, second]: string[]): string[] {
  if (second === undefined) return [`const result = await tools.${first}({ /* input */ });`, 'return result;'];
  return [`const [one, other] = await Promise.all([tools.${first}({ /* input */ }), tools.${second}({ /* input */ })]);`, 'return { one, other };'];
}

function fetchLine({ fetchPolicy }: CodeModeOptions): string {
  if (!fetchPolicy) return 'Fetch: `fetch` is not available.';
  const { origins, prefixes, methods, maxResponseBytes, allowRedirects, maxRedirects } = fetchRules(fetchPolicy);
  const where = [...origins, ...prefixes.map(({ href }) => href)];
  const redirects = allowRedirects ? `redirects within the same addresses, at most ${maxRedirects}` : 'no redirects';
  return `Fetch: \`fetch\` is available for ${where.join(', ') || 'no address'} with ${methods.join(', ')}; at most ${maxResponseBytes} bytes per response, ${redirects}.`;
}
