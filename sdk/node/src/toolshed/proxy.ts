// The tools as nested functions, for code of the host.

import { check } from '../check';
import { shown } from '../schema';
import { Catalog, OWN, byPath } from './catalog';
import type { DescribeTools, SearchTools, ToolDefinition } from './types';

/** Any path of functions. */
export interface ToolsProxy {
  (args?: Record<string, unknown>): Promise<any>;
  [name: string]: ToolsProxy;
}

/**
 * Builds the proxy: `proxy.github.issues.list(args)` calls `invoke("github.issues.list", args)`, `proxy.search({ query, limit })` finds tools, and
 * `proxy.describe.tool({ path })` returns a definition. It has no properties that could be listed.
 */
export function buildProxy(
  tools: ToolDefinition[],
  invoke: (path: string, args: Record<string, unknown>) => unknown,
  searchTools?: SearchTools,
  describeTools?: DescribeTools,
): ToolsProxy {
  const definitions = byPath('buildProxy', tools);
  check('buildProxy: `invoke`', invoke, 'function');
  if (searchTools !== undefined) check('buildProxy: `searchTools`', searchTools, 'function');
  if (describeTools !== undefined) check('buildProxy: `describeTools`', describeTools, 'function');
  const catalog = new Catalog(definitions, searchTools, describeTools);
  const [search, describe] = OWN;
  return proxy('', async (path, args) => {
    if (path === search) return catalog.search(args);
    if (path === describe) return catalog.describe(args);
    if (!definitions.has(path)) throw new Error(`Tool not found: ${path}`);
    if (typeof args !== 'object' || args === null || Array.isArray(args)) throw new TypeError(`tools.${path}: the arguments are ${shown(args)}; expected an object`);
    return invoke(path, args as Record<string, unknown>);
  });
}

function proxy(path: string, call: (path: string, args: unknown) => Promise<unknown>): ToolsProxy {
  return new Proxy((() => undefined) as unknown as ToolsProxy, {
    get(_, name) {
      // A proxy with `then` would be taken for a promise.
      if (typeof name !== 'string' || name === 'then' || name === 'toJSON') return undefined;
      return proxy(path === '' ? name : `${path}.${name}`, call);
    },
    apply: (_, __, [args = {}]: unknown[]) => call(path, args),
    has: () => false,
    ownKeys: () => [],
    getOwnPropertyDescriptor: () => undefined,
    set: () => false,
    defineProperty: () => false,
    deleteProperty: () => false,
    getPrototypeOf: () => null,
    setPrototypeOf: () => false,
  });
}
