// Parsing and serialising URLs: section 4 of the URL Standard. Its state machine reads one character at a time; `#` and
// `?` end whatever is before them in all its states, so here a URL is taken apart from the outside in.
//
// A URL record is { scheme, username, password, host, port, path, query, fragment }: host, port, query and fragment may
// be null, path is a list of segments, or a string where it is opaque.

const DEFAULT_PORTS = { __proto__: null, "ftp:": 21, "file:": null, "http:": 80, "https:": 443, "ws:": 80, "wss:": 443 };

function isSpecialScheme(scheme) {
  return DEFAULT_PORTS[scheme] !== undefined;
}

/** The URL record of a text, or undefined when it is no URL. */
function parseURL(text, base) {
  let rest = withoutTabs(text.replace(/^[\0- ]+|[\0- ]+$/g, ""));
  const hash = rest.indexOf("#");
  const fragment = hash < 0 ? null : percentEncode(rest.slice(hash + 1), FRAGMENT_SET);
  if (hash >= 0) rest = rest.slice(0, hash);

  const match = /^[a-z][a-z0-9+.-]*:/i.exec(rest);
  const scheme = match ? match[0].toLowerCase() : base?.scheme;
  if (scheme === undefined) return undefined;
  if (match) {
    rest = rest.slice(match[0].length);
  } else if (typeof base.path === "string") {
    return rest === "" && hash >= 0 ? { ...base, fragment } : undefined;
  }

  const mark = rest.indexOf("?");
  const query = mark < 0 ? null : encodeQuery(rest.slice(mark + 1), scheme);
  if (mark >= 0) rest = rest.slice(0, mark);

  const url = { scheme, username: "", password: "", host: null, port: null, path: [], query, fragment };
  const isSpecial = isSpecialScheme(scheme);
  // A special URL of the base's scheme is relative unless it has its slashes.
  const isRelative = !match || (isSpecial && base?.scheme === scheme && !/^\/\//.test(rest));
  if (scheme === "file:") return parseFileURL(url, rest, base?.scheme === "file:" ? base : undefined);
  if (isRelative) return parseRelative(url, rest, base, isSpecial);
  if (isSpecial) return parseAuthority(url, rest.replace(/^[/\\]+/, ""));
  if (rest.startsWith("//")) return parseAuthority(url, rest.slice(2));
  if (rest.startsWith("/")) {
    parsePath(url, rest.slice(1));
    return url;
  }
  url.path = percentEncode(rest, C0_CONTROL_SET);
  if (query !== null || fragment !== null) url.path = url.path.replace(/ $/, "%20");
  return url;
}

function withoutTabs(text) {
  return text.replace(/[\t\n\r]+/g, "");
}

function encodeQuery(text, scheme) {
  return percentEncode(text, isSpecialScheme(scheme) ? SPECIAL_QUERY_SET : QUERY_SET);
}

function isSlash(character, isSpecial) {
  return character === "/" || (isSpecial && character === "\\");
}

function parseRelative(url, rest, base, isSpecial) {
  if (isSlash(rest[0], isSpecial) && isSlash(rest[1], isSpecial)) {
    return parseAuthority(url, isSpecial ? rest.replace(/^[/\\]+/, "") : rest.slice(2));
  }
  const { username, password, host, port } = base;
  Object.assign(url, { username, password, host, port });
  if (isSlash(rest[0], isSpecial)) {
    parsePath(url, rest.slice(1));
    return url;
  }
  url.path = [...base.path];
  if (rest === "") {
    url.query ??= base.query;
    return url;
  }
  shortenPath(url);
  parsePath(url, rest);
  return url;
}

function parseFileURL(url, rest, base) {
  url.host = "";
  if (isSlash(rest[0], true) && isSlash(rest[1], true)) return parseFileHost(url, rest.slice(2));
  if (base) url.host = base.host;
  if (isSlash(rest[0], true)) {
    rest = rest.slice(1);
    const drive = base?.path[0];
    if (drive !== undefined && isDrive(drive) && drive[1] === ":" && !startsWithDrive(rest)) url.path.push(drive);
  } else if (base) {
    url.path = startsWithDrive(rest) ? [] : [...base.path];
    if (rest === "") {
      url.query ??= base.query;
      return url;
    }
    shortenPath(url);
  }
  parsePath(url, rest);
  return url;
}

function parseFileHost(url, rest) {
  const end = endOfHost(rest, true);
  const text = rest.slice(0, end);
  // A drive letter in the place of the host begins the path.
  if (isDrive(text)) {
    parsePath(url, rest);
    return url;
  }
  if (text !== "") {
    const host = parseHost(text, true);
    if (host === undefined) return undefined;
    url.host = host === "localhost" ? "" : host;
  }
  parsePathStart(url, rest.slice(end));
  return url;
}

function parseAuthority(url, rest) {
  const isSpecial = isSpecialScheme(url.scheme);
  const end = endOfHost(rest, isSpecial);
  const authority = rest.slice(0, end);
  const at = authority.lastIndexOf("@");
  if (at >= 0) {
    const credentials = authority.slice(0, at);
    const colon = credentials.indexOf(":");
    url.username = percentEncode(colon < 0 ? credentials : credentials.slice(0, colon), USERINFO_SET);
    url.password = colon < 0 ? "" : percentEncode(credentials.slice(colon + 1), USERINFO_SET);
  }
  const { hostText, portText } = splitPort(authority.slice(at + 1));
  if (hostText === "" && (isSpecial || at >= 0 || portText !== undefined)) return undefined;
  const host = parseHost(hostText, isSpecial);
  if (host === undefined) return undefined;
  url.host = host;
  if (portText) {
    if (!/^[0-9]+$/.test(portText) || Number(portText) > 65535) return undefined;
    setPort(url, Number(portText));
  }
  if (isSpecial || end < rest.length) parsePathStart(url, rest.slice(end));
  return url;
}

function endOfHost(text, isSpecial) {
  const end = text.search(isSpecial ? /[/\\]/ : /\//);
  return end < 0 ? text.length : end;
}

/** At the first colon that is not inside of brackets. */
function splitPort(text) {
  let isInside = false;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "[") isInside = true;
    else if (text[at] === "]") isInside = false;
    else if (text[at] === ":" && !isInside) return { hostText: text.slice(0, at), portText: text.slice(at + 1) };
  }
  return { hostText: text, portText: undefined };
}

function setPort(url, port) {
  url.port = port === DEFAULT_PORTS[url.scheme] ? null : port;
}

function parsePathStart(url, text) {
  parsePath(url, isSlash(text[0], isSpecialScheme(url.scheme)) ? text.slice(1) : text);
}

/** Adds the segments of a text to the path, dot segments resolved. */
function parsePath(url, text) {
  const segments = text.split(isSpecialScheme(url.scheme) ? /[/\\]/ : "/");
  for (const [at, segment] of segments.entries()) {
    const isLast = at === segments.length - 1;
    if (/^(\.|%2e){2}$/i.test(segment)) {
      shortenPath(url);
      if (isLast) url.path.push("");
    } else if (/^(\.|%2e)$/i.test(segment)) {
      if (isLast) url.path.push("");
    } else if (url.scheme === "file:" && url.path.length === 0 && isDrive(segment)) {
      url.path.push(segment[0] + ":");
    } else {
      url.path.push(percentEncode(segment, PATH_SET));
    }
  }
}

function shortenPath(url) {
  const { path } = url;
  if (url.scheme === "file:" && path.length === 1 && isDrive(path[0]) && path[0][1] === ":") return;
  path.pop();
}

function isDrive(text) {
  return /^[a-z][:|]$/i.test(text);
}

function startsWithDrive(text) {
  return /^[a-z][:|]($|[/\\])/i.test(text);
}

function serializeURL(url) {
  let text = url.scheme;
  if (url.host !== null) {
    text += "//";
    if (url.username !== "" || url.password !== "") {
      text += url.username + (url.password === "" ? "" : `:${url.password}`) + "@";
    }
    text += serializeHost(url);
  } else if (typeof url.path !== "string" && url.path.length > 1 && url.path[0] === "") {
    text += "/.";
  }
  text += serializePath(url);
  if (url.query !== null) text += `?${url.query}`;
  if (url.fragment !== null) text += `#${url.fragment}`;
  return text;
}

function serializeHost(url) {
  if (url.host === null) return "";
  return url.port === null ? url.host : `${url.host}:${url.port}`;
}

function serializePath({ path }) {
  return typeof path === "string" ? path : path.map((segment) => `/${segment}`).join("");
}

function serializeOrigin(url) {
  if (url.scheme === "blob:" && typeof url.path === "string") {
    const inner = parseURL(url.path);
    return inner && /^https?:$/.test(inner.scheme) ? serializeOrigin(inner) : "null";
  }
  return isSpecialScheme(url.scheme) && url.scheme !== "file:" ? `${url.scheme}//${serializeHost(url)}` : "null";
}
