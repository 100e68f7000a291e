// node:url: the classes, file URLs, and the older functions parse, format and resolve.

const { querystring, unescapeQuery } = part("querystring");
const { path, requirePath } = part("path");

const SLASHED = new Set(["http:", "https:", "ftp:", "gopher:", "file:", "ws:", "wss:"]);

class Url {
  protocol = null;
  slashes = null;
  auth = null;
  host = null;
  port = null;
  hostname = null;
  hash = null;
  search = null;
  query = null;
  pathname = null;
  path = null;
  href = "";
}

function parseLegacy(text, parsesQuery = false, slashesDenoteHost = false) {
  if (isObject(text) && text instanceof Url) return text;
  if (typeof text !== "string") throw wrongType("url", "of type string", text);
  const url = new Url();
  let rest = text.trim().replace(/^[^?#]*/, (start) => start.replaceAll("\\", "/"));
  const hash = rest.indexOf("#");
  if (hash >= 0) [rest, url.hash] = [rest.slice(0, hash), rest.slice(hash)];
  const protocol = /^[a-z0-9.+-]+:/i.exec(rest)?.[0].toLowerCase();
  if (protocol !== undefined) {
    url.protocol = protocol;
    rest = rest.slice(protocol.length);
  }
  const hasSlashes = rest.startsWith("//") && protocol !== "javascript:"
    && (protocol !== undefined || slashesDenoteHost || /^\/\/[^@/]+@[^@/]+/.test(rest));
  if (hasSlashes) {
    url.slashes = true;
    rest = rest.slice(2);
  }
  if (hasSlashes || (protocol !== undefined && protocol !== "javascript:" && !SLASHED.has(protocol))) {
    const end = rest.search(/[/?]/);
    takeAuthority(url, end < 0 ? rest : rest.slice(0, end));
    rest = end < 0 ? "" : rest.slice(end);
  }
  rest = rest.replace(/[ "<>`{}|\\^'\t\r\n]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`);
  const search = rest.indexOf("?");
  if (search >= 0) {
    [rest, url.search] = [rest.slice(0, search), rest.slice(search)];
    url.query = url.search.slice(1);
  } else if (parsesQuery) {
    url.search = null;
    url.query = "";
  }
  if (rest !== "") url.pathname = rest;
  else if (url.host && SLASHED.has(protocol)) url.pathname = "/";
  if (url.pathname !== null || url.search !== null) url.path = `${url.pathname ?? ""}${url.search ?? ""}`;
  if (parsesQuery) url.query = querystring.parse(url.query);
  url.href = formatLegacy({ ...url, query: undefined });
  return url;
}

function takeAuthority(url, authority) {
  const at = authority.lastIndexOf("@");
  if (at >= 0) {
    url.auth = unescapeQuery(authority.slice(0, at));
    authority = authority.slice(at + 1);
  }
  const port = /:(\d*)$/.exec(authority);
  if (port) {
    if (port[1] !== "") url.port = port[1];
    authority = authority.slice(0, -port[0].length);
  }
  const isAddress = authority.startsWith("[") && authority.endsWith("]");
  url.hostname = (isAddress ? authority.slice(1, -1) : authority).toLowerCase();
  if (!isAddress && /[^\0-\x7f]/.test(url.hostname)) {
    url.hostname = URL.parse(`http://${url.hostname}`)?.hostname ?? url.hostname;
  }
  const host = isAddress ? `[${url.hostname}]` : url.hostname;
  url.host = url.port === null ? host : `${host}:${url.port}`;
}

function formatLegacy(url, options = undefined) {
  if (typeof url === "string") return parseLegacy(url).href;
  if (!isObject(url)) throw wrongType("urlObject", "one of type object or string", url);
  if (url instanceof URL) {
    const copy = new URL(url.href);
    if (options?.fragment === false) copy.hash = "";
    if (options?.search === false) copy.search = "";
    if (options?.auth === false) copy.username = copy.password = "";
    return copy.href;
  }
  const auth = url.auth ? `${encodeURIComponent(url.auth).replace(/%3A/i, ":")}@` : "";
  let protocol = url.protocol ?? "";
  if (protocol !== "" && !protocol.endsWith(":")) protocol += ":";
  let host = null;
  if (url.host) {
    host = auth + url.host;
  } else if (url.hostname) {
    const name = url.hostname.includes(":") && !url.hostname.startsWith("[") ? `[${url.hostname}]` : url.hostname;
    host = `${auth}${name}${url.port ? `:${url.port}` : ""}`;
  }
  const hasQuery = isObject(url.query) && Object.keys(url.query).length > 0;
  let search = url.search || (hasQuery ? `?${querystring.stringify(url.query)}` : "");
  if (search !== "" && !search.startsWith("?")) search = `?${search}`;
  let hash = url.hash ?? "";
  if (hash !== "" && !hash.startsWith("#")) hash = `#${hash}`;
  let pathname = (url.pathname ?? "").replace(/[?#]/g, encodeURIComponent);
  let start = host ?? "";
  if (url.slashes || SLASHED.has(protocol)) {
    if (url.slashes || host !== null) {
      if (pathname !== "" && !pathname.startsWith("/")) pathname = `/${pathname}`;
      start = `//${host ?? ""}`;
    }
  }
  return `${protocol}${start}${pathname}${search.replaceAll("#", "%23")}${hash}`;
}

function resolveLegacy(from, to) {
  const base = new URL(from, "resolve://");
  const resolved = new URL(to, base);
  if (resolved.protocol !== "resolve:") return resolved.href;
  return resolved.pathname + resolved.search + resolved.hash;
}

function fileURLToPath(url) {
  const parsed = typeof url === "string" ? new URL(url) : url;
  if (!isObject(parsed) || !(parsed instanceof URL)) throw wrongType("path", "of type string or an instance of URL", url);
  if (parsed.protocol !== "file:") throw nodeError(TypeError, "ERR_INVALID_URL_SCHEME", "The URL must be of scheme file");
  if (parsed.hostname !== "") {
    throw nodeError(TypeError, "ERR_INVALID_FILE_URL_HOST", 'File URL host must be "localhost" or empty on linux');
  }
  if (/%2f/i.test(parsed.pathname)) {
    throw nodeError(TypeError, "ERR_INVALID_FILE_URL_PATH", "File URL path must not include encoded / characters");
  }
  return decodeURIComponent(parsed.pathname);
}

function pathToFileURL(name) {
  requirePath(name);
  const resolved = path.resolve(name) + (name.endsWith("/") && path.resolve(name) !== "/" ? "/" : "");
  return new URL(`file://${resolved.replace(/[%\\\n\r\t?#]/g, (mark) => encodeURIComponent(mark))}`);
}

const nodeURL = {
  URL, URLSearchParams, Url, parse: parseLegacy, format: formatLegacy, resolve: resolveLegacy, fileURLToPath, pathToFileURL,
  domainToASCII: (domain) => URL.parse(`ws://${domain}`)?.hostname ?? "",
  urlToHttpOptions: (url) => ({
    protocol: url.protocol, hostname: url.hostname.replace(/^\[|\]$/g, ""), hash: url.hash, search: url.search,
    pathname: url.pathname, path: `${url.pathname}${url.search}`, href: url.href,
    ...(url.port === "" ? {} : { port: Number(url.port) }),
    ...(url.username === "" && url.password === "" ? {}
      : { auth: `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}` }),
  }),
};
