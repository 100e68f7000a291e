// URLPattern: https://urlpattern.spec.whatwg.org, in terms of the URL parser.

const PATTERN_PARTS = ["protocol", "username", "password", "hostname", "port", "pathname", "search", "hash"];
const PLAIN_PATTERN = { delimiter: "", prefix: "" };
const HOST_PATTERN = { delimiter: ".", prefix: "" };
const PATH_PATTERN = { delimiter: "/", prefix: "/" };
const SPECIAL_SCHEMES = ["http", "https", "ws", "wss", "ftp", "file"];

class URLPattern {
  #components = {};
  #ignoreCase;

  constructor(input = {}, baseOrOptions = undefined, options = undefined) {
    let base;
    if (typeof baseOrOptions === "string" || baseOrOptions instanceof URL) base = `${baseOrOptions}`;
    else options = baseOrOptions;
    this.#ignoreCase = !!options?.ignoreCase;
    let init;
    if (isObject(input) && !(input instanceof URL)) {
      if (base !== undefined) throw new TypeError("a base URL goes into the object: { baseURL }");
      init = completeInit(input, true);
    } else {
      const parsed = parseConstructorString(`${input}`);
      if (base === undefined && parsed.protocol === undefined) {
        throw new TypeError(`${quote(`${input}`)} is relative, and has no base URL`);
      }
      init = completeInit({ ...parsed, ...(base === undefined ? {} : { baseURL: base }) }, true);
    }
    for (const key of PATTERN_PARTS) init[key] ??= "*";
    if (SPECIAL_SCHEMES.includes(init.protocol) && init.port === `${DEFAULT_PORTS[`${init.protocol}:`]}`) init.port = "";
    for (const key of PATTERN_PARTS) this.#components[key] = this.#compile(key, init[key]);
  }

  #compile(key, text) {
    let syntax = PLAIN_PATTERN;
    let encode = (value) => ENCODERS[key](value);
    if (key === "hostname") syntax = HOST_PATTERN;
    if (key === "pathname") {
      const { protocol } = this.#components;
      if (protocol.text === "" || SPECIAL_SCHEMES.some((scheme) => protocol.regexp.test(scheme))) syntax = PATH_PATTERN;
      else encode = (value) => value === "" ? "" : new URL(`data:${value}`).pathname;
    }
    const parts = parsePattern(text, syntax, encode);
    const ignoreCase = this.#ignoreCase && ["pathname", "search", "hash"].includes(key);
    try {
      const { regexp, names } = patternRegExp(parts, syntax, ignoreCase);
      return { text: patternText(parts, syntax), regexp, names, hasGroups: parts.some((part) => part.type === "regexp") };
    } catch (error) {
      throw new TypeError(`the URL pattern ${quote(text)} is malformed: ${error.message}`);
    }
  }

  get hasRegExpGroups() { return PATTERN_PARTS.some((key) => this.#components[key].hasGroups); }
  test(input = {}, base = undefined) { return this.#match(input, base) !== null; }
  exec(input = {}, base = undefined) { return this.#match(input, base); }

  #match(input, base) {
    const inputs = base === undefined ? [input] : [input, `${base}`];
    let values;
    if (isObject(input) && !(input instanceof URL)) {
      if (base !== undefined) throw new TypeError("a base URL goes into the object: { baseURL }");
      try {
        values = completeInit(input, false);
      } catch {
        return null;
      }
    } else {
      const url = URL.parse(`${input}`, base);
      if (url === null) return null;
      values = {
        protocol: url.protocol.slice(0, -1), username: url.username, password: url.password, hostname: url.hostname,
        port: url.port, pathname: url.pathname, search: url.search.slice(1), hash: url.hash.slice(1),
      };
    }
    const result = { inputs };
    for (const key of PATTERN_PARTS) {
      const value = values[key] ?? "";
      const { regexp, names } = this.#components[key];
      const found = regexp.exec(value);
      if (found === null) return null;
      result[key] = { input: value, groups: Object.fromEntries(names.map((name, at) => [name, found[at + 1]])) };
    }
    return result;
  }

  static textOf(pattern, key) { return pattern.#components[key].text; }
}
const { textOf } = URLPattern;
deleteProperty(URLPattern, "textOf");
for (const key of PATTERN_PARTS) {
  defineProperty(URLPattern.prototype, key, { get() { return textOf(this, key); }, enumerable: true, configurable: true });
}
tagPrototype(URLPattern, "URLPattern");
CLONERS.set(URLPattern.prototype, refused);

/** How each component of a URL writes a literal text. */
const ENCODERS = {
  __proto__: null,
  protocol(value) {
    if (value === "") return "";
    const url = URL.parse(`${value}://dummy.test`);
    if (url === null) throw new TypeError(`${quote(value)} is not a protocol`);
    return url.protocol.slice(0, -1);
  },
  username: (value) => percentEncode(stringToWellFormed(value), USERINFO_SET),
  password: (value) => percentEncode(stringToWellFormed(value), USERINFO_SET),
  hostname(value) {
    if (value === "") return "";
    if (/^\[/.test(value)) return addressText(value);
    const url = new URL("https://dummy.test");
    url.hostname = value;
    const isOwn = url.hostname === "dummy.test" && value.toLowerCase() !== "dummy.test";
    if (isOwn || /[\0\t\n\r #/:<>?@[\\\]^|]/.test(value)) throw new TypeError(`${quote(value)} is not a host name`);
    return url.hostname;
  },
  port(value, protocol = undefined) {
    if (value === "") return "";
    const digits = /^\d+/.exec(value)?.[0];
    if (digits !== value || Number(digits) > 65535) throw new TypeError(`${quote(value)} is not a port`);
    return protocol !== undefined && DEFAULT_PORTS[`${protocol}:`] === Number(digits) ? "" : `${Number(digits)}`;
  },
  pathname(value) {
    if (value === "") return "";
    const isRelative = !value.startsWith("/");
    const path = new URL(`data://x${isRelative ? "/-" : ""}${value.replace(/[?#]/g, encodeURIComponent)}`).pathname;
    return isRelative ? path.slice(2) : path;
  },
  search: (value) => percentEncode(stringToWellFormed(withoutTabs(value)), SPECIAL_QUERY_SET),
  hash: (value) => percentEncode(stringToWellFormed(withoutTabs(value)), FRAGMENT_SET),
};

function addressText(value) {
  if (!/^[\][0-9a-f:]+$/i.test(value)) throw new TypeError(`${quote(value)} is not an IPv6 address`);
  return value.toLowerCase();
}

/** An init with the components that its base URL brings along; of a pattern as they are, otherwise in canonical form. */
function completeInit(init, isPattern) {
  const result = {};
  let base = null;
  const inherit = (...keys) => keys.every((key) => init[key] === undefined);
  const literal = (text) => isPattern ? escapeForPattern(text) : text;
  if (init.baseURL !== undefined) {
    base = URL.parse(`${init.baseURL}`);
    if (base === null) throw new TypeError(`${quote(`${init.baseURL}`)} is not a base URL`);
    const most = ["protocol", "hostname", "port"];
    if (inherit("protocol")) result.protocol = literal(base.protocol.slice(0, -1));
    if (!isPattern && inherit(...most, "username")) result.username = base.username;
    if (!isPattern && inherit(...most, "username", "password")) result.password = base.password;
    if (inherit("protocol", "hostname")) result.hostname = literal(base.hostname);
    if (inherit(...most)) result.port = literal(base.port);
    if (inherit(...most, "pathname")) result.pathname = literal(base.pathname);
    if (inherit(...most, "pathname", "search")) result.search = literal(base.search.slice(1));
    if (inherit(...most, "pathname", "search", "hash")) result.hash = literal(base.hash.slice(1));
  }
  for (const key of PATTERN_PARTS) {
    if (init[key] === undefined) continue;
    let value = `${init[key]}`;
    if (key === "protocol") value = value.replace(/:$/, "");
    if (key === "search") value = value.replace(/^\?/, "");
    if (key === "hash") value = value.replace(/^#/, "");
    if (key === "pathname" && base !== null && typeof base.pathname === "string" && !isAbsolutePattern(value, isPattern)) {
      const slash = base.pathname.lastIndexOf("/");
      if (slash >= 0) value = literal(base.pathname.slice(0, slash + 1)) + value;
    }
    result[key] = isPattern ? value : encodeComponent(key, value, result.protocol);
  }
  return result;
}

function encodeComponent(key, value, protocol) {
  if (key === "port") return ENCODERS.port(value, protocol);
  if (key === "pathname" && protocol !== undefined && protocol !== "" && !SPECIAL_SCHEMES.includes(protocol)) {
    return value === "" ? "" : new URL(`data:${value}`).pathname;
  }
  return ENCODERS[key](value);
}

function isAbsolutePattern(text, isPattern) {
  return text.startsWith("/") || (isPattern && (text.startsWith("\\/") || text.startsWith("{/")));
}

/** Takes a pattern of a whole URL apart into patterns of its components. */
function parseConstructorString(input) {
  const tokens = tokenizePattern(input, true);
  const characters = [...input];
  const end = tokens.length - 1;
  const between = (from, to) => characters.slice(tokens[from].index, tokens[to].index).join("");
  const isMark = (at, mark) => tokens[at]?.value === mark && ["char", "escaped", "invalid"].includes(tokens[at].type);
  const isSearch = (at) => isMark(at, "?") || (tokens[at].value === "?" && tokens[at].type === "modifier"
    && !(at > 0 && ["name", "regexp", "close", "asterisk"].includes(tokens[at - 1].type)));
  const isHash = (at) => isMark(at, "#");
  const isEndOfAuthority = (at) => isMark(at, "/") || isSearch(at) || isHash(at);
  // The first place, outside of all braces, for which a check holds.
  const find = (from, to, check) => {
    let depth = 0;
    for (let at = from; at < to; at++) {
      if (tokens[at].type === "open") depth++;
      else if (tokens[at].type === "close") depth--;
      else if (depth === 0 && check(at)) return at;
    }
    return to;
  };

  const result = {};
  let at = 0;
  let hasAuthority = false;
  const colon = find(0, end, (one) => isMark(one, ":") || isEndOfAuthority(one));
  if (colon < end && isMark(colon, ":")) {
    result.protocol = between(0, colon);
    const hasSlashes = isMark(colon + 1, "/") && isMark(colon + 2, "/");
    at = colon + 1 + (hasSlashes ? 2 : 0);
    hasAuthority = hasSlashes || protocolIsSpecial(result.protocol);
    result.hostname = "";
    result.port = "";
  }
  if (hasAuthority) {
    const stop = find(at, end, isEndOfAuthority);
    Object.assign(result, splitAuthority(at, stop, find, isMark, between));
    if (stop === end) return result;
    at = stop;
  }
  const hash = find(at, end, isHash);
  const search = find(at, hash, isSearch);
  if (search > at || end === 0 || (result.protocol !== undefined && !hasAuthority)) result.pathname = between(at, search);
  else if (hasAuthority) result.pathname = protocolIsSpecial(result.protocol) ? "/" : "";
  if (search < hash) result.search = between(search + 1, hash);
  if (hash < end) {
    result.hash = between(hash + 1, end);
    if (result.pathname !== undefined) result.search ??= "";
  }
  return result;
}

/** The user, the host and the port between two places of a pattern. */
function splitAuthority(from, to, find, isMark, between) {
  const result = {};
  const user = find(from, to, (at) => isMark(at, "@"));
  if (user < to) {
    const colon = find(from, user, (at) => isMark(at, ":"));
    result.username = between(from, colon);
    if (colon < user) result.password = between(colon + 1, user);
    from = user + 1;
  }
  let brackets = 0;
  const port = find(from, to, (at) => {
    if (isMark(at, "[")) brackets++;
    if (isMark(at, "]")) brackets--;
    return brackets === 0 && isMark(at, ":");
  });
  result.hostname = between(from, port);
  if (port < to) result.port = between(port + 1, to);
  return result;
}

function protocolIsSpecial(text) {
  if (text === undefined) return false;
  const { regexp } = patternRegExp(parsePattern(text, PLAIN_PATTERN, (value) => value), PLAIN_PATTERN, false);
  return SPECIAL_SCHEMES.some((scheme) => regexp.test(scheme));
}
