// URL: section 6.1 of the URL Standard.

class URL {
  #url;
  #params = null;

  constructor(url, base = undefined) {
    requireArguments(arguments.length, 1, "URL");
    const parsed = parseWithBase(url, base);
    if (parsed === undefined) throw invalidURL(url);
    this.#url = parsed;
  }

  static canParse(url, base = undefined) {
    requireArguments(arguments.length, 1, "URL.canParse");
    return parseWithBase(url, base) !== undefined;
  }

  static parse(url, base = undefined) {
    requireArguments(arguments.length, 1, "URL.parse");
    return parseWithBase(url, base) === undefined ? null : new URL(url, base);
  }

  get href() { return serializeURL(this.#url); }
  set href(value) {
    const parsed = parseWithBase(value, undefined);
    if (parsed === undefined) throw invalidURL(value);
    this.#url = parsed;
    this.#updateParams();
  }

  get origin() { return serializeOrigin(this.#url); }

  get protocol() { return this.#url.scheme; }
  set protocol(value) {
    const url = this.#url;
    const match = /^[a-z][a-z0-9+.-]*:/i.exec(withoutTabs(wellFormed(value)) + ":");
    if (!match) return;
    const scheme = match[0].toLowerCase();
    if (isSpecialScheme(scheme) !== isSpecialScheme(url.scheme)) return;
    if (scheme === "file:" && (url.username !== "" || url.password !== "" || url.port !== null)) return;
    if (url.scheme === "file:" && url.host === "") return;
    url.scheme = scheme;
    setPort(url, url.port);
  }

  get username() { return this.#url.username; }
  set username(value) {
    const text = wellFormed(value);
    if (this.#hasAuthority()) this.#url.username = percentEncode(text, USERINFO_SET);
  }

  get password() { return this.#url.password; }
  set password(value) {
    const text = wellFormed(value);
    if (this.#hasAuthority()) this.#url.password = percentEncode(text, USERINFO_SET);
  }

  get host() { return serializeHost(this.#url); }
  set host(value) { this.#setHost(wellFormed(value), true); }

  get hostname() { return this.#url.host ?? ""; }
  set hostname(value) { this.#setHost(wellFormed(value), false); }

  get port() { return this.#url.port === null ? "" : `${this.#url.port}`; }
  set port(value) {
    const text = wellFormed(value);
    if (!this.#hasAuthority()) return;
    if (text === "") this.#url.port = null;
    else this.#setLeadingPort(withoutTabs(text));
  }

  get pathname() { return serializePath(this.#url); }
  set pathname(value) {
    const text = withoutTabs(wellFormed(value));
    const url = this.#url;
    if (typeof url.path === "string") return;
    url.path = [];
    if (isSpecialScheme(url.scheme) || text !== "") parsePathStart(url, text);
    else if (url.host === null) url.path.push("");
  }

  get search() { return this.#url.query ? `?${this.#url.query}` : ""; }
  set search(value) {
    const text = wellFormed(value);
    this.#url.query = text === "" ? null : encodeQuery(withoutTabs(text.replace(/^\?/, "")), this.#url.scheme);
    this.#updateParams();
  }

  get searchParams() {
    if (this.#params === null) {
      this.#params = new URLSearchParams();
      this.#updateParams();
      observeParams(this.#params, (query) => {
        this.#url.query = query === "" ? null : query;
      });
    }
    return this.#params;
  }

  get hash() { return this.#url.fragment ? `#${this.#url.fragment}` : ""; }
  set hash(value) {
    const text = wellFormed(value);
    this.#url.fragment = text === "" ? null : percentEncode(withoutTabs(text.replace(/^#/, "")), FRAGMENT_SET);
  }

  toString() { return this.href; }
  toJSON() { return this.href; }

  /** Whether it may have credentials and a port. */
  #hasAuthority() {
    const { host, scheme } = this.#url;
    return host !== null && host !== "" && scheme !== "file:";
  }

  #updateParams() {
    if (this.#params !== null) replaceParams(this.#params, parseForm(this.#url.query ?? ""));
  }

  #setHost(value, mayHavePort) {
    const url = this.#url;
    if (typeof url.path === "string") return;
    const isSpecial = isSpecialScheme(url.scheme);
    const text = withoutTabs(value).split(isSpecial ? /[/\\?#]/ : /[/?#]/, 1)[0];
    const isFile = url.scheme === "file:";
    const { hostText, portText } = isFile ? { hostText: text } : splitPort(text);
    if (portText !== undefined && (hostText === "" || !mayHavePort)) return;
    if (hostText === "") {
      if (isSpecial && !isFile) return;
      if (url.username !== "" || url.password !== "" || url.port !== null) return;
    }
    const host = hostText === "" ? "" : parseHost(hostText, isSpecial);
    if (host === undefined) return;
    url.host = isFile && host === "localhost" ? "" : host;
    if (portText) this.#setLeadingPort(portText);
  }

  #setLeadingPort(text) {
    const digits = /^[0-9]+/.exec(text)?.[0];
    if (digits !== undefined && Number(digits) <= 65535) setPort(this.#url, Number(digits));
  }
}
tagPrototype(URL, "URL");
mapSet(RENDERERS, URL.prototype, (out, value) => write(out, `URL ${stringify(value.href)}`));

function parseWithBase(url, base) {
  const parsedBase = base === undefined ? undefined : parseURL(wellFormed(base), undefined);
  if (base !== undefined && parsedBase === undefined) return undefined;
  return parseURL(wellFormed(url), parsedBase);
}

function wellFormed(value) {
  return stringToWellFormed(`${value}`);
}

function invalidURL(url) {
  const text = wellFormed(url);
  const error = new TypeError(`Invalid URL: ${stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text)}`);
  defineValue(error, "code", "ERR_INVALID_URL", true);
  defineValue(error, "input", text, true);
  return error;
}
