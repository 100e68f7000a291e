// Request and Response as values: a program makes them, passes them around and reads them. See fetch.js for the network.

/** What a body is made of: its bytes (null where there is none) and the content type that goes with them. */
function readBody(body) {
  if (body === null || body === undefined) return { bytes: null, type: null };
  if (isObject(body)) {
    if (body instanceof Blob) return { bytes: bytesOfBlob(body), type: body.type === "" ? null : body.type };
    if (body instanceof URLSearchParams) {
      return { bytes: Buffer.from(`${body}`), type: "application/x-www-form-urlencoded;charset=UTF-8" };
    }
    if (body instanceof FormData) {
      const boundary = `----formdata-${bytesToText(randomBytesOf(12).buffer, 0, 12, ENCODING_NUMBERS.hex)}`;
      return { bytes: multipart(body, boundary), type: `multipart/form-data; boundary=${boundary}` };
    }
    if (isView(body) || passes(bufferSize, body)) return { bytes: Buffer.from(copyBytes(body).buffer), type: null };
  }
  return { bytes: Buffer.from(stringToWellFormed(`${body}`)), type: "text/plain;charset=UTF-8" };
}

/** What Request and Response have in common: headers and a body that can be read once. */
class Message {
  #headers;
  #bytes;
  #isUsed = false;

  constructor(headers, body) {
    const { bytes, type } = body;
    this.#headers = headers;
    this.#bytes = bytes;
    if (type !== null && !headers.has("content-type")) headers.set("content-type", type);
  }

  get headers() { return this.#headers; }
  get bodyUsed() { return this.#isUsed; }
  get body() {
    if (this.#bytes === null) return null;
    throw noStreams("body", "text(), json(), arrayBuffer() or bytes()");
  }

  async text() { return new TextDecoder().decode(this.#take()); }
  async json() { return JSON.parse(new TextDecoder().decode(this.#take())); }
  async arrayBuffer() { return new Uint8Array(this.#take()).buffer; }
  async bytes() { return new Uint8Array(this.#take()); }
  async blob() { return new Blob([this.#take()], { type: this.#headers.get("content-type") ?? "" }); }
  async formData() {
    const type = this.#headers.get("content-type") ?? "";
    const bytes = this.#take();
    const boundary = /^multipart\/form-data\b.*;\s*boundary="?([^";]+)"?/i.exec(type);
    if (boundary) return parseMultipart(Buffer.from(bytes), boundary[1]);
    if (!/^application\/x-www-form-urlencoded\b/i.test(type)) {
      throw new TypeError("formData() reads multipart/form-data and application/x-www-form-urlencoded");
    }
    const form = new FormData();
    for (const [name, value] of new URLSearchParams(decodeLossy(bytes))) form.append(name, value);
    return form;
  }

  #take() {
    if (this.#isUsed) throw new TypeError("Body is unusable: Body has already been read");
    this.#isUsed = this.#bytes !== null;
    return this.#bytes ?? new Uint8Array(0);
  }

  static bodyOf(message) {
    if (message.#isUsed) throw new TypeError("the body has already been read, and cannot be copied");
    return { bytes: message.#bytes, type: null };
  }

  static markRead(message) { message.#isUsed = message.#bytes !== null; }
}
const { bodyOf, markRead } = Message;
deleteProperty(Message, "bodyOf");
deleteProperty(Message, "markRead");

const NULL_BODY = new Set([101, 103, 204, 205, 304]);
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

class Response extends Message {
  #status;
  #statusText;
  #type = "default";
  #url = "";
  #isRedirected = false;

  constructor(body = null, init = undefined) {
    const status = init?.status === undefined ? 200 : Math.trunc(Number(init.status)) & 0xffff;
    if (status < 200 || status > 599) throw new RangeError("init.status must be in the range of 200 to 599, inclusive.");
    const statusText = `${init?.statusText ?? ""}`;
    if (/[^\t\x20-\x7e\x80-\xff]/.test(statusText)) throw new TypeError("Invalid statusText");
    const content = readBody(body);
    if (content.bytes !== null && NULL_BODY.has(status)) {
      throw new TypeError("Response with null body status cannot have body");
    }
    super(new Headers(init?.headers), content);
    this.#status = status;
    this.#statusText = statusText;
  }

  static json(data, init = undefined) {
    requireArguments(arguments.length, 1, "Response.json");
    const text = stringify(data);
    if (text === undefined) throw new TypeError("Response.json: the value is not JSON");
    const response = new Response(Buffer.from(text), init);
    if (!response.headers.has("content-type")) response.headers.set("content-type", "application/json");
    return response;
  }

  static error() {
    const response = new Response(null);
    response.#status = 0;
    response.#type = "error";
    return response;
  }

  static redirect(url, status = 302) {
    const location = new URL(url).href;
    if (!REDIRECTS.has(status)) throw new RangeError(`Invalid status code ${status}`);
    const response = new Response(null, { headers: { location } });
    response.#status = status;
    return response;
  }

  get type() { return this.#type; }
  get url() { return this.#url; }
  get redirected() { return this.#isRedirected; }
  get status() { return this.#status; }
  get ok() { return this.#status >= 200 && this.#status <= 299; }
  get statusText() { return this.#statusText; }

  clone() {
    const { bytes } = bodyOf(this);
    const response = new Response(bytes, { statusText: this.#statusText, headers: headerEntries(this.headers) });
    response.#status = this.#status;
    response.#type = this.#type;
    response.#url = this.#url;
    response.#isRedirected = this.#isRedirected;
    return response;
  }

  /** What a server answered. */
  static fetched(body, init, url, isRedirected) {
    const response = new Response(NULL_BODY.has(init.status) ? null : body, init);
    response.#type = "basic";
    response.#url = url;
    response.#isRedirected = isRedirected;
    return response;
  }

  [INSPECT](depth, options) {
    const { status, statusText, headers, bodyUsed, ok, redirected, type, url } = this;
    return `Response ${inspect({ status, statusText, headers, bodyUsed, ok, redirected, type, url }, options)}`;
  }
}
const { fetched: fetchedResponse } = Response;
deleteProperty(Response, "fetched");
tagPrototype(Response, "Response");

const REQUEST_DEFAULTS = {
  cache: "default", credentials: "same-origin", destination: "", duplex: "half", integrity: "", keepalive: false,
  mode: "cors", redirect: "follow", referrer: "about:client", referrerPolicy: "",
};

class Request extends Message {
  #url;
  #method;
  #signal;
  #settings;

  constructor(input, init = {}) {
    requireArguments(arguments.length, 1, "Request");
    const from = isObject(input) && input instanceof Request ? input : null;
    const url = from ? from.url : requestURL(input);
    const method = init.method === undefined ? from?.method ?? "GET" : requestMethod(`${init.method}`);
    const body = init.body !== undefined && init.body !== null ? readBody(init.body)
      : from && init.body === undefined ? bodyOf(from) : readBody(null);
    if (body.bytes !== null && (method === "GET" || method === "HEAD")) {
      throw new TypeError("Request with GET/HEAD method cannot have body.");
    }
    super(new Headers(init.headers === undefined && from ? headerEntries(from.headers) : init.headers), body);
    this.#url = url;
    this.#method = method;
    this.#signal = init.signal ?? from?.signal ?? newSignal();
    this.#settings = { ...REQUEST_DEFAULTS };
    for (const key of Object.keys(REQUEST_DEFAULTS)) {
      const given = init[key] ?? from?.[key];
      if (given !== undefined) this.#settings[key] = typeof REQUEST_DEFAULTS[key] === "boolean" ? !!given : `${given}`;
    }
    if (from && init.body === undefined) markRead(from);
  }

  static settingOf(request, key) { return request.#settings[key]; }

  get url() { return this.#url; }
  get method() { return this.#method; }
  get signal() { return this.#signal; }
  clone() { return new Request(this, { body: bodyOf(this).bytes }); }

  [INSPECT](depth, options) {
    const { method, url, headers, signal } = this;
    return `Request ${inspect({ method, url, headers, ...this.#settings, signal }, options)}`;
  }
}
const { settingOf } = Request;
deleteProperty(Request, "settingOf");
for (const key of Object.keys(REQUEST_DEFAULTS)) {
  defineProperty(Request.prototype, key, { get() { return settingOf(this, key); }, enumerable: true, configurable: true });
}
tagPrototype(Request, "Request");
for (const constructor of [Headers, Request, Response, FormData]) CLONERS.set(constructor.prototype, refused);
CLONERS.set(Blob.prototype, copied(bytesOfBlob, (value) => value.slice(0, value.size, value.type)));

function requestURL(input) {
  const parsed = URL.canParse(`${input}`) ? new URL(`${input}`) : null;
  if (parsed === null) throw nodeError(TypeError, "ERR_INVALID_URL", `Failed to parse URL from ${input}`);
  if (parsed.username !== "" || parsed.password !== "") {
    throw new TypeError(`Request cannot be constructed from a URL that includes credentials: ${input}`);
  }
  return parsed.href;
}

function requestMethod(method) {
  const upper = method.toUpperCase();
  if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(method)) throw new TypeError(`'${method}' is not a valid HTTP method.`);
  if (["CONNECT", "TRACE", "TRACK"].includes(upper)) throw new TypeError(`'${method}' HTTP method is unsupported.`);
  return ["DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH"].includes(upper) ? upper : method;
}
