// Headers: names without case, values joined by commas, iteration in the order of names.

let headerEntries;

class Headers {
  #entries = []; // [name in lower case, value], in the order in which they were added

  static {
    headerEntries = (headers) => headers.#entries;
  }

  constructor(init = undefined) {
    if (init === undefined) return;
    if (!isObject(init)) {
      throw new TypeError("Headers constructor: init must be an object of names and values, a list of pairs, or Headers");
    }
    if (typeof init[Symbol.iterator] === "function") {
      for (const pair of init) {
        const [name, value, ...others] = pair;
        if (value === undefined || others.length > 0) {
          throw new TypeError("Headers constructor: a header is a name and a value");
        }
        this.append(name, value);
      }
    } else {
      for (const key of ownKeys(init)) {
        if (getOwnPropertyDescriptor(init, key)?.enumerable) this.append(key, init[key]);
      }
    }
  }

  append(name, value) {
    requireArguments(arguments.length, 2, "Headers.append");
    this.#entries.push([headerName(name), headerValue(value)]);
  }

  set(name, value) {
    requireArguments(arguments.length, 2, "Headers.set");
    const [key, text] = [headerName(name), headerValue(value)];
    const at = this.#entries.findIndex(([one]) => one === key);
    if (at < 0) return void this.#entries.push([key, text]);
    this.#entries = this.#entries.filter(([one], index) => one !== key || index === at);
    this.#entries[at] = [key, text];
  }

  delete(name) {
    requireArguments(arguments.length, 1, "Headers.delete");
    const key = headerName(name);
    this.#entries = this.#entries.filter(([one]) => one !== key);
  }

  get(name) {
    requireArguments(arguments.length, 1, "Headers.get");
    const key = headerName(name);
    const values = this.#entries.filter(([one]) => one === key).map(([, value]) => value);
    return values.length === 0 ? null : values.join(key === "cookie" ? "; " : ", ");
  }

  has(name) {
    requireArguments(arguments.length, 1, "Headers.has");
    const key = headerName(name);
    return this.#entries.some(([one]) => one === key);
  }

  getSetCookie() { return this.#entries.filter(([name]) => name === "set-cookie").map(([, value]) => value); }

  forEach(callback, receiver = undefined) {
    requireCallback(callback, "Headers.forEach");
    for (const [name, value] of this) apply(callback, receiver, [value, name, this]);
  }

  *entries() {
    for (const name of [...new Set(this.#entries.map(([key]) => key))].sort()) {
      if (name === "set-cookie") for (const value of this.getSetCookie()) yield [name, value];
      else yield [name, this.get(name)];
    }
  }
  *keys() { for (const [name] of this.entries()) yield name; }
  *values() { for (const [, value] of this.entries()) yield value; }

  [INSPECT](depth, options) { return `Headers ${inspect(Object.fromEntries(this.entries()), options)}`; }
}
defineValue(Headers.prototype, Symbol.iterator, Headers.prototype.entries, false);
tagPrototype(Headers, "Headers");

function headerName(name) {
  const text = `${name}`;
  if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(text)) throw new TypeError(`${quote(text)} is an invalid header name.`);
  return text.toLowerCase();
}

function headerValue(value) {
  const text = `${value}`.replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, "");
  if (/[\0\r\n]/.test(text) || /[^\0-\xff]/.test(text)) throw new TypeError(`${quote(text)} is an invalid header value.`);
  return text;
}
