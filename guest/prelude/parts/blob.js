// Blob, File and FormData: values of the web without streams.

const { Buffer } = part("bytes");
let bytesOfBlob;

class Blob {
  #bytes;
  #type;

  static {
    bytesOfBlob = (blob) => blob.#bytes;
  }

  constructor(parts = [], options = undefined) {
    if (!isObject(parts) || typeof parts[Symbol.iterator] !== "function") {
      throw wrongType("sources", "a sequence", parts);
    }
    const ending = options?.endings ?? "transparent";
    this.#bytes = Buffer.concat([...parts].map((part) => blobPart(part, ending === "native")));
    const type = `${options?.type ?? ""}`;
    this.#type = /^[\x20-\x7e]*$/.test(type) ? type.toLowerCase() : "";
  }

  get size() { return this.#bytes.length; }
  get type() { return this.#type; }

  slice(start = 0, end = this.size, type = "") {
    const blob = new Blob([], { type });
    const part = this.#bytes.subarray(start, end);
    blob.#bytes = part;
    return blob;
  }

  async text() { return new TextDecoder().decode(this.#bytes); }
  async arrayBuffer() { return new Uint8Array(this.#bytes).buffer; }
  async bytes() { return new Uint8Array(this.#bytes); }
  stream() { throw noStreams("Blob.stream", "text(), arrayBuffer() or bytes()"); }
}
tagPrototype(Blob, "Blob");

function noStreams(what, instead) {
  return new TypeError(`${what} is not available: there are no streams here; use ${instead}`);
}

function blobPart(part, convertsLines) {
  if (isObject(part) && part instanceof Blob) return bytesOfBlob(part);
  if (isView(part) || passes(bufferSize, part)) return copyBytes(part);
  const text = `${part}`;
  return new Uint8Array(encodeText(convertsLines ? text.replace(/\r\n?/g, "\n") : text, "utf8"));
}

class File extends Blob {
  #name;
  #lastModified;

  constructor(parts, name, options = undefined) {
    requireArguments(arguments.length, 2, "File");
    super(parts, options);
    this.#name = `${name}`;
    this.#lastModified = options?.lastModified === undefined ? clock() : Math.trunc(options.lastModified) || 0;
  }

  get name() { return this.#name; }
  get lastModified() { return this.#lastModified; }
}
tagPrototype(File, "File");

class FormData {
  #entries = [];

  constructor(form = undefined) {
    if (form !== undefined) throw wrongType("form", "undefined: there are no forms here", form);
  }

  append(name, value, filename = undefined) {
    requireArguments(arguments.length, 2, "FormData.append");
    this.#entries.push([stringToWellFormed(`${name}`), formValue(value, filename)]);
  }

  set(name, value, filename = undefined) {
    requireArguments(arguments.length, 2, "FormData.set");
    const entry = [stringToWellFormed(`${name}`), formValue(value, filename)];
    const at = this.#entries.findIndex(([key]) => key === entry[0]);
    const others = this.#entries.filter(([key]) => key !== entry[0]);
    others.splice(at < 0 ? others.length : this.#entries.slice(0, at).length, 0, entry);
    this.#entries = others;
  }

  delete(name) { this.#entries = this.#entries.filter(([key]) => key !== `${name}`); }
  get(name) { return this.#entries.find(([key]) => key === `${name}`)?.[1] ?? null; }
  getAll(name) { return this.#entries.filter(([key]) => key === `${name}`).map(([, value]) => value); }
  has(name) { return this.#entries.some(([key]) => key === `${name}`); }
  forEach(callback, receiver = undefined) {
    requireCallback(callback, "FormData.forEach");
    for (const [key, value] of this) apply(callback, receiver, [value, key, this]);
  }
  *entries() { for (const [key, value] of this.#entries) yield [key, value]; }
  *keys() { for (const [key] of this.#entries) yield key; }
  *values() { for (const [, value] of this.#entries) yield value; }
  [INSPECT](depth, options) {
    return `FormData ${inspect(Object.fromEntries([...new Set(this.keys())].map((key) => {
      const all = this.getAll(key);
      return [key, all.length > 1 ? all : all[0]];
    })), options)}`;
  }
}
defineValue(FormData.prototype, Symbol.iterator, FormData.prototype.entries, false);
tagPrototype(FormData, "FormData");

function formValue(value, filename) {
  if (!isObject(value) || !(value instanceof Blob)) {
    if (filename !== undefined) throw wrongType("value", "an instance of Blob", value);
    return stringToWellFormed(`${value}`);
  }
  if (value instanceof File && filename === undefined) return value;
  return new File([value], filename ?? "blob", { type: value.type });
}

/** The body of a request with a form: multipart/form-data. */
function multipart(form, boundary) {
  const escaped = (text) => text.replace(/\r\n?|\n/g, "%0D%0A").replace(/"/g, "%22");
  const chunks = [];
  for (const [name, value] of form) {
    const title = `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(name)}"`;
    if (typeof value === "string") {
      chunks.push(Buffer.from(`${title}\r\n\r\n${value.replace(/\r\n?|\n/g, "\r\n")}\r\n`));
    } else {
      const type = value.type === "" ? "application/octet-stream" : value.type;
      chunks.push(Buffer.from(`${title}; filename="${escaped(value.name)}"\r\nContent-Type: ${type}\r\n\r\n`));
      chunks.push(bytesOfBlob(value), Buffer.from("\r\n"));
    }
  }
  chunks.push(Buffer.from(`--${boundary}--\r\n`));
  return Buffer.concat(chunks);
}

/** The form in a multipart body; throws a TypeError where it is malformed. */
function parseMultipart(bytes, boundary) {
  const form = new FormData();
  const text = bytes.toString("latin1");
  const parts = text.split(`--${boundary}`);
  if (parts.length < 2 || !parts.at(-1).startsWith("--")) throw new TypeError("the body is not multipart/form-data");
  for (const part of parts.slice(1, -1)) {
    const split = part.indexOf("\r\n\r\n");
    const head = Buffer.from(part.slice(0, split), "latin1").toString();
    const name = /\bname="([^"]*)"/i.exec(head);
    if (split < 0 || !name) throw new TypeError("the body is not multipart/form-data");
    const body = Buffer.from(part.slice(split + 4, -2), "latin1");
    const unescaped = (value) => value.replace(/%0D%0A/g, "\r\n").replace(/%22/g, '"');
    const filename = /\bfilename="([^"]*)"/i.exec(head);
    if (filename) {
      const type = /^content-type:\s*(.*)$/im.exec(head)?.[1].trim() ?? "text/plain";
      form.append(unescaped(name[1]), new File([body], unescaped(filename[1]), { type }));
    } else {
      form.append(unescaped(name[1]), body.toString());
    }
  }
  return form;
}
