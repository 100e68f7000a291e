// Bytes and their encodings, and errors with the codes of Node.

const ENCODING_NUMBERS = { __proto__: null, hex: 0, base64: 1, base64url: 2, latin1: 3, ascii: 4, utf16le: 5 };
const ENCODING_NAMES = {
  __proto__: null, utf8: "utf8", "utf-8": "utf8", hex: "hex", base64: "base64", base64url: "base64url", latin1: "latin1",
  binary: "latin1", ascii: "ascii", utf16le: "utf16le", "utf-16le": "utf16le", ucs2: "utf16le", "ucs-2": "utf16le",
};
// How an object says what `inspect` shows of it.
const INSPECT = Symbol.for("nodejs.util.inspect.custom");

/** An error with the code that Node gives it. */
function nodeError(constructor, code, message) {
  const error = new constructor(message);
  defineValue(error, "code", code, true);
  return error;
}

function wrongType(name, expected, value) {
  return nodeError(TypeError, "ERR_INVALID_ARG_TYPE",
    `The "${name}" argument must be ${expected}. Received ${receivedText(value)}`);
}

function receivedText(value) {
  if (value === null || value === undefined) return `${value}`;
  if (typeof value === "function") return `function ${value.name}`;
  if (typeof value === "object") {
    return value.constructor?.name ? `an instance of ${value.constructor.name}` : inspect(value, { depth: -1 });
  }
  const text = inspect(value);
  return `type ${typeof value} (${text.length > 28 ? `${text.slice(0, 25)}...` : text})`;
}

function outOfRange(name, range, value) {
  let text = typeof value === "bigint" ? `${value}n` : inspect(value);
  const isLarge = /^-?\d{10,}n?$/.test(text) && (value > 2 ** 32 || value < -(2 ** 32));
  if (isLarge) text = text.replace(/\B(?=(\d{3})+(?!\d))/g, "_");
  return nodeError(RangeError, "ERR_OUT_OF_RANGE",
    `The value of "${name}" is out of range. It must be ${range}. Received ${text}`);
}

function encodingName(encoding) {
  if (encoding === undefined || encoding === null || encoding === "") return "utf8";
  const name = ENCODING_NAMES[stringToLowerCase(`${encoding}`)];
  if (name === undefined) throw nodeError(TypeError, "ERR_UNKNOWN_ENCODING", `Unknown encoding: ${encoding}`);
  return name;
}

/** The bytes of a text, as a new ArrayBuffer. */
function encodeText(text, encoding) {
  const name = encodingName(encoding);
  return name === "utf8" ? encodeUtf8(stringToWellFormed(text)) : textToBytes(text, ENCODING_NUMBERS[name]);
}

function decodeBytes(bytes, encoding) {
  const name = encodingName(encoding);
  if (name === "utf8") return decodeLossy(bytes);
  return bytesToText(typedArrayBuffer(bytes), typedArrayOffset(bytes), typedArrayByteSize(bytes), ENCODING_NUMBERS[name]);
}

/** A copy of the bytes of a text, a view or a buffer. */
function copyBytes(data, encoding, name = "data") {
  if (typeof data === "string") return new Uint8Array(encodeText(data, encoding));
  if (!isView(data) && !passes(bufferSize, data)) {
    throw wrongType(name, "of type string or an instance of Buffer, TypedArray, or DataView", data);
  }
  const { buffer, offset, size } = bytesOf(data);
  return new Uint8Array(buffer, offset, size).slice();
}

function isBytes(value) {
  return isView(value) && typedArrayName(value) === "Uint8Array";
}

function requireSize(size) {
  if (typeof size !== "number") throw wrongType("size", "of type number", size);
  if (!(size >= 0 && size <= 2 ** 53 - 1)) throw outOfRange("size", `>= 0 && <= ${2 ** 53 - 1}`, size);
}

function compareBytes(one, other) {
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at++) {
    if (one[at] !== other[at]) return one[at] < other[at] ? -1 : 1;
  }
  return Math.sign(one.length - other.length);
}
