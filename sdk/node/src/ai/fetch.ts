// The `fetch` of programs: a function in the program over a tool, and the policy of the host.

import { CodeModeFetchError } from './errors';
import type { CodeModeFetchPolicy } from './types';

/** The tool behind `fetch`. */
export const FETCH_TOOL = '__codeModeFetch';

/** Defines `fetch` in a program. One line, so that the lines of the program stay what they are. */
export const FETCH_PRELUDE =
  'globalThis.fetch=async(i,o={})=>{const h=new Headers(o.headers??i?.headers);' +
  `const a=await tools.${FETCH_TOOL}({url:typeof i==="string"?i:String(i?.url??i),method:String(o.method??i?.method??"GET"),` +
  'headers:[...h.entries()],...(o.body==null?{}:{body:String(o.body)})});' +
  'const r=new Response(a.body===""?null:Uint8Array.from(atob(a.body),(c)=>c.charCodeAt(0)),{status:a.status,statusText:a.statusText,headers:a.headers});' +
  'Object.defineProperty(r,"url",{value:a.url});return r};';

/** A request of a program. */
export interface FetchRequest {
  url: string;
  method: string;
  headers: [string, string][];
  body?: string;
}

/** A response for a program. */
export interface FetchResponse {
  url: string;
  status: number;
  statusText: string;
  headers: [string, string][];
  /** The body as base64. */
  body: string;
}

/** A checked policy. */
export interface FetchRules {
  fetch: typeof globalThis.fetch;
  origins: string[];
  prefixes: URL[];
  methods: string[];
  maxResponseBytes: number;
  allowRedirects: boolean;
  maxRedirects: number;
}

/** Checks a policy, and fills in defaults. */
export function fetchRules(policy: CodeModeFetchPolicy): FetchRules {
  const { fetch = globalThis.fetch, maxResponseBytes = 1024 * 1024, maxRedirects = 10 } = policy;
  if (typeof fetch !== 'function') throw new TypeError('fetchPolicy.fetch must be provided when global fetch is unavailable.');
  for (const [key, value] of Object.entries({ maxResponseBytes, maxRedirects })) {
    if (!Number.isInteger(value) || value <= 0) throw new TypeError(`fetchPolicy.${key} must be a positive integer.`);
  }
  const prefixes = (policy.allowedUrlPrefixes ?? []).map((prefix) => {
    const url = new URL(prefix);
    if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') {
      throw new CodeModeFetchError(`fetchPolicy.allowedUrlPrefixes entry must be an origin and a path: ${prefix}`);
    }
    return url;
  });
  return {
    fetch,
    origins: (policy.allowedOrigins ?? []).map((origin) => new URL(origin).origin),
    prefixes,
    methods: (policy.allowedMethods ?? ['GET', 'HEAD']).map((method) => method.toUpperCase()),
    maxResponseBytes,
    allowRedirects: policy.allowRedirects ?? false,
    maxRedirects,
  };
}

/** Makes a request as far as the rules allow it, with its redirects. */
export async function fetchWithin(rules: FetchRules, request: FetchRequest, signal: AbortSignal): Promise<FetchResponse> {
  let url = allowed(rules, request.url);
  let method = request.method.toUpperCase();
  let { body } = request;
  const headers = new Headers(request.headers);
  for (let redirects = 0; ; redirects++) {
    if (!rules.methods.includes(method)) throw new CodeModeFetchError(`fetch method "${method}" is not allowed.`, { method });
    const init: RequestInit = { method, headers: Object.fromEntries(headers), redirect: 'manual', signal };
    if (body !== undefined) init.body = body;
    const response = await rules.fetch(url.href, init);
    if (response.url !== '') allowed(rules, response.url);
    const location = response.headers.get('location');
    const isRedirect = [301, 302, 303, 307, 308].includes(response.status) && location !== null;
    if (!isRedirect || !rules.allowRedirects) return readResponse(rules, response, url.href);
    await response.body?.cancel();
    if (redirects >= rules.maxRedirects) throw new CodeModeFetchError(`fetch exceeded the ${rules.maxRedirects} redirect limit.`, { url: url.href });
    const next = allowed(rules, new URL(location, url).href);
    if (response.status === 303 || (response.status < 303 && method === 'POST')) {
      method = method === 'HEAD' ? 'HEAD' : 'GET';
      body = undefined;
      headers.delete('content-type');
    }
    if (next.origin !== url.origin) for (const name of ['authorization', 'cookie', 'proxy-authorization']) headers.delete(name);
    url = next;
  }
}

/** Returns the URL, or throws if no rule allows it. */
function allowed(rules: FetchRules, text: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new CodeModeFetchError(`fetch URL is not valid: ${text}`, { url: text });
  }
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
  const isBelow = ({ origin, pathname }: URL): boolean =>
    url.origin === origin && (url.pathname === pathname || url.pathname.startsWith(pathname.endsWith('/') ? pathname : `${pathname}/`));
  if (!isWeb || !(rules.origins.includes(url.origin) || rules.prefixes.some(isBelow))) {
    throw new CodeModeFetchError(`fetch URL is not allowed: ${url.href}`, { url: url.href });
  }
  return url;
}

/** Reads a response, up to the limit. */
export async function readResponse(rules: Pick<FetchRules, 'maxResponseBytes'>, response: Response, url: string): Promise<FetchResponse> {
  const parts: Uint8Array[] = [];
  let size = 0;
  const add = (part: Uint8Array): void => {
    size += part.byteLength;
    if (size > rules.maxResponseBytes) {
      const { maxResponseBytes: maxBytes } = rules;
      throw new CodeModeFetchError(`fetch response exceeds the ${maxBytes} byte size limit.`, { url, maxBytes });
    }
    parts.push(part);
  };
  if (response.body !== null && response.body !== undefined) {
    const reader = response.body.getReader();
    try {
      for (let read = await reader.read(); !read.done; read = await reader.read()) add(read.value);
    } finally {
      await reader.cancel().catch(() => {});
    }
  } else if (typeof response.arrayBuffer === 'function') {
    add(new Uint8Array(await response.arrayBuffer()));
  }
  return {
    url: response.url === '' ? url : response.url,
    status: response.status,
    statusText: response.statusText,
    headers: [...response.headers.entries()],
    body: Buffer.concat(parts).toString('base64'),
  };
}
