// What the tools of an OpenAPI server tell the model, and what their programs find.

const DOCUMENT = `/** An OpenAPI 3 document. References within it are resolved; a circle is { $circular: "#/…" }. */
interface Document {
  openapi: string;
  info: { title: string; version: string; description?: string };
  servers?: { url: string; description?: string }[];
  tags?: { name: string; description?: string }[];
  paths: Record<string, PathItem>;
  components?: Record<string, unknown>;
}
type Method = "get" | "put" | "post" | "delete" | "options" | "head" | "patch" | "trace";
type PathItem = { summary?: string; description?: string; parameters?: Parameter[] } & { [method in Method]?: Operation };
interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: Parameter[];
  requestBody?: { description?: string; required?: boolean; content?: Record<string, { schema?: unknown }> };
  responses?: Record<string, { description?: string; content?: Record<string, { schema?: unknown }> }>;
  security?: Record<string, string[]>[];
  deprecated?: boolean;
}
interface Parameter {
  name: string;
  in: "query" | "header" | "path" | "cookie";
  required?: boolean;
  description?: string;
  schema?: unknown;
}`;

export const SEARCH_DESCRIPTION = `Searches an OpenAPI document with a program. Write an async arrow function that returns what is needed.

${DOCUMENT}
declare const codemode: {
  spec(): Promise<Document>;
};

Examples:
async () => Object.keys((await codemode.spec()).paths)

async () => {
  const { paths } = await codemode.spec();
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, operation]) => operation.tags?.includes("your_tag"))
      .map(([method, { summary }]) => ({ method, path, summary })));
}`;

export const EXECUTE_DESCRIPTION = `Calls the API with a program. Find operations with the tool \`search\` first. Write an async arrow function that returns the result.

${DOCUMENT}
interface RequestOptions {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
  contentType?: string;
  rawBody?: boolean;
}
declare const codemode: {
  spec(): Promise<Document>;
  request(options: RequestOptions): Promise<unknown>;
};

Example:
async () => codemode.request({ method: "GET", path: "/your/endpoint" })`;

/**
 * Resolves references in the sandbox. What a reference points to is one object, wherever it is used, so that a document takes no
 * more memory than its text. Within itself it is `{ $circular }`.
 */
const RESOLVE =
  'const __resolve=(root)=>{const done=new Map(),open=new Set();' +
  'const at=(ref)=>ref.slice(2).split("/").reduce((o,k)=>o?.[k.replaceAll("~1","/").replaceAll("~0","~")],root);' +
  'const walk=(v)=>{if(v===null||typeof v!=="object")return v;if(Array.isArray(v))return v.map(walk);const ref=v.$ref;' +
  'if(typeof ref!=="string")return Object.fromEntries(Object.entries(v).map(([k,x])=>[k,walk(x)]));' +
  'if(open.has(ref))return{$circular:ref};if(!ref.startsWith("#/"))return v;' +
  'if(!done.has(ref)){open.add(ref);const r=walk(at(ref));open.delete(ref);done.set(ref,r)}return done.get(ref)};return walk(root)};';

/** Returns a program that finds the document as `codemode.spec()`. `methods` are further methods of `codemode`. */
export function withDocument(code: string, methods: string): string {
  return `async () => {${RESOLVE}let __spec;const codemode={${methods}spec:async()=>__spec??=__resolve(await __openapiHost.spec())};return await (${code}\n)();\n}`;
}
