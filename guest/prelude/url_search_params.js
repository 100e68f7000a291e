// URLSearchParams: sections 5 and 6.2 of the URL Standard.

let observeParams;
let replaceParams;

class URLSearchParams {
  #list = [];
  #observer = null; // of the URL it belongs to

  static {
    observeParams = (params, observer) => { params.#observer = observer; };
    replaceParams = (params, list) => { params.#list = list; };
  }

  constructor(init = "") {
    if (!isObject(init)) {
      this.#list = parseForm(wellFormed(init).replace(/^\?/, ""));
    } else if (init[Symbol.iterator] !== undefined && init[Symbol.iterator] !== null) {
      this.#list = Array.from(init, readPair);
    } else {
      const record = new Map();
      for (const key of ownKeys(init)) {
        if (getOwnPropertyDescriptor(init, key)?.enumerable) record.set(wellFormed(key), wellFormed(init[key]));
      }
      this.#list = [...record];
    }
  }

  get size() { return this.#list.length; }

  append(name, value) {
    requireArguments(arguments.length, 2, "append");
    this.#list.push([wellFormed(name), wellFormed(value)]);
    this.#changed();
  }

  delete(name, value = undefined) {
    requireArguments(arguments.length, 1, "delete");
    const matches = matcher(name, value);
    this.#list = this.#list.filter((pair) => !matches(pair));
    this.#changed();
  }

  get(name) {
    requireArguments(arguments.length, 1, "get");
    return this.#list.find(matcher(name))?.[1] ?? null;
  }

  getAll(name) {
    requireArguments(arguments.length, 1, "getAll");
    return this.#list.filter(matcher(name)).map((pair) => pair[1]);
  }

  has(name, value = undefined) {
    requireArguments(arguments.length, 1, "has");
    return this.#list.some(matcher(name, value));
  }

  set(name, value) {
    requireArguments(arguments.length, 2, "set");
    const matches = matcher(name);
    const added = [wellFormed(name), wellFormed(value)];
    const at = this.#list.findIndex(matches);
    if (at < 0) this.#list.push(added);
    else this.#list = this.#list.flatMap((pair, index) => index === at ? [added] : matches(pair) ? [] : [pair]);
    this.#changed();
  }

  sort() {
    this.#list.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    this.#changed();
  }

  forEach(callback, receiver = undefined) {
    if (typeof callback !== "function") throw new TypeError("forEach takes a function");
    for (let at = 0; at < this.#list.length; at++) {
      const [name, value] = this.#list[at];
      apply(callback, receiver, [value, name, this]);
    }
  }

  * entries() { for (let at = 0; at < this.#list.length; at++) yield [this.#list[at][0], this.#list[at][1]]; }
  * keys() { for (let at = 0; at < this.#list.length; at++) yield this.#list[at][0]; }
  * values() { for (let at = 0; at < this.#list.length; at++) yield this.#list[at][1]; }

  toString() { return serializeForm(this.#list); }

  #changed() { this.#observer?.(serializeForm(this.#list)); }
}
defineProperty(URLSearchParams.prototype, Symbol.iterator, {
  value: URLSearchParams.prototype.entries, writable: true, configurable: true,
});
tagPrototype(URLSearchParams, "URLSearchParams");
mapSet(RENDERERS, URLSearchParams.prototype, (out, value, name, depth) => {
  writeCollection(out, `${name}(${value.size}) {`, depth, (each) => value.forEach((item, key) => each(key, item)));
});
for (const constructor of [URL, URLSearchParams]) CLONERS.set(constructor.prototype, refused);

function readPair(pair) {
  if (!isObject(pair)) throw new TypeError("each query pair must be an iterable [name, value]");
  const items = [...pair];
  if (items.length !== 2) throw new TypeError("each query pair must be an iterable [name, value]");
  return [wellFormed(items[0]), wellFormed(items[1])];
}

function matcher(name, value) {
  const wantedName = wellFormed(name);
  const wantedValue = value === undefined ? undefined : wellFormed(value);
  return (pair) => pair[0] === wantedName && (wantedValue === undefined || pair[1] === wantedValue);
}

function parseForm(text) {
  const decode = (part) => percentDecode(part.replaceAll("+", " "));
  return text.split("&").filter((part) => part !== "").map((part) => {
    const at = part.indexOf("=");
    return at < 0 ? [decode(part), ""] : [decode(part.slice(0, at)), decode(part.slice(at + 1))];
  });
}

function serializeForm(list) {
  const encode = (text) => percentEncode(text, FORM_SET).replaceAll(" ", "+");
  return list.map(([name, value]) => `${encode(name)}=${encode(value)}`).join("&");
}
