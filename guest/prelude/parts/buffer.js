// Buffer: bytes with encodings, as in Node.

class Buffer extends Uint8Array {
  constructor(value, encodingOrOffset, length) {
    if (typeof value === "string") super(encodeText(value, encodingOrOffset));
    else if (encodingOrOffset === undefined) super(value);
    else super(value, encodingOrOffset, length);
  }

  static from(value, encodingOrOffset, length) {
    if (typeof value === "string") return new Buffer(encodeText(value, encodingOrOffset));
    if (typeof value === "object" && value !== null) {
      if (passes(bufferSize, value)) return new Buffer(value, encodingOrOffset ?? 0, length);
      if (typeof value.valueOf === "function") {
        const primitive = value.valueOf();
        if (primitive !== value && primitive !== null && (typeof primitive === "string" || isObject(primitive))) {
          return Buffer.from(primitive, encodingOrOffset, length);
        }
      }
      if (value.type === "Buffer" && isArray(value.data)) return new Buffer(value.data);
      if (isArray(value) || isView(value) || typeof value.length === "number") return new Buffer(Array.from(value));
      const text = value[Symbol.toPrimitive]?.("string");
      if (typeof text === "string") return Buffer.from(text, encodingOrOffset);
    }
    throw nodeError(TypeError, "ERR_INVALID_ARG_TYPE", "The first argument must be of type string or an instance of Buffer, "
      + `ArrayBuffer, or Array or an Array-like Object. Received ${receivedText(value)}`);
  }

  static alloc(size, fill, encoding) {
    requireSize(size);
    const bytes = new Buffer(size);
    return fill === undefined || fill === 0 || size === 0 ? bytes : bytes.fill(fill, encoding);
  }

  static allocUnsafe(size) { return Buffer.alloc(size); }
  static allocUnsafeSlow(size) { return Buffer.alloc(size); }

  static concat(list, length) {
    if (!isArray(list)) throw wrongType("list", "an instance of Array", list);
    list.forEach((bytes, at) => {
      if (!isBytes(bytes)) throw wrongType(`list[${at}]`, "an instance of Buffer or Uint8Array", bytes);
    });
    let total = length ?? list.reduce((sum, bytes) => sum + bytes.length, 0);
    const joined = Buffer.alloc(total);
    let at = 0;
    for (const bytes of list) {
      if (at >= total) break;
      setBytes(joined, partOf(bytes, 0, total - at), at);
      at += bytes.length;
    }
    return joined;
  }

  static byteLength(value, encoding) {
    if (typeof value !== "string") {
      if (isView(value) || passes(bufferSize, value)) return value.byteLength;
      throw wrongType("string", "of type string or an instance of Buffer or ArrayBuffer", value);
    }
    const name = ENCODING_NAMES[stringToLowerCase(`${encoding}`)] ?? "utf8";
    switch (name) {
      case "utf8": return bufferSize(encodeText(value, "utf8"));
      case "utf16le": return value.length * 2;
      case "hex": return value.length >>> 1;
      case "base64":
      case "base64url": {
        const padding = value.endsWith("==") ? 2 : value.endsWith("=") ? 1 : 0;
        return Math.floor((value.length - padding) * 3 / 4);
      }
      default: return value.length;
    }
  }

  static isBuffer(value) { return value instanceof Buffer; }
  static isEncoding(encoding) {
    return typeof encoding === "string" && ENCODING_NAMES[stringToLowerCase(encoding)] !== undefined;
  }

  static compare(one, other) {
    if (!isBytes(one)) throw wrongType("buf1", "an instance of Buffer or Uint8Array", one);
    if (!isBytes(other)) throw wrongType("buf2", "an instance of Buffer or Uint8Array", other);
    return compareBytes(one, other);
  }

  toString(encoding, start = 0, end = this.length) {
    const from = Math.max(0, Math.trunc(start) || 0);
    const to = Math.min(this.length, Math.trunc(end) || 0);
    return from >= to ? "" : decodeBytes(partOf(this, from, to), encoding);
  }
  toLocaleString(encoding, start, end) { return this.toString(encoding, start, end); }
  toJSON() { return { type: "Buffer", data: Array.from(this) }; }

  equals(other) {
    if (!isBytes(other)) throw wrongType("otherBuffer", "an instance of Buffer or Uint8Array", other);
    return compareBytes(this, other) === 0;
  }

  compare(other, start = 0, end = other.length, ownStart = 0, ownEnd = this.length) {
    if (!isBytes(other)) throw wrongType("target", "an instance of Buffer or Uint8Array", other);
    return compareBytes(partOf(this, ownStart, ownEnd), partOf(other, start, end));
  }

  slice(start, end) { return this.subarray(start, end); }

  copy(target, targetStart = 0, start = 0, end = this.length) {
    if (!isBytes(target)) throw wrongType("target", "an instance of Buffer or Uint8Array", target);
    if (start < 0 || start > this.length) throw outOfRange("sourceStart", `>= 0 && <= ${this.length}`, start);
    const part = partOf(this, start, Math.min(Math.max(end, start), start + Math.max(0, target.length - targetStart)));
    if (part.length > 0) setBytes(target, part, targetStart);
    return part.length;
  }

  fill(value, start, end, encoding) {
    if (typeof start === "string") [encoding, start, end] = [start, 0, undefined];
    else if (typeof end === "string") [encoding, end] = [end, undefined];
    const from = start ?? 0;
    const to = end ?? this.length;
    if (from < 0) throw outOfRange("offset", `>= 0 && <= ${2 ** 53 - 1}`, from);
    if (to < 0 || to > this.length) throw outOfRange("end", `>= 0 && <= ${this.length}`, to);
    if (from >= to) return this;
    if (typeof value === "string" || isBytes(value)) {
      const pattern = typeof value === "string" ? new Uint8Array(encodeText(value, encoding)) : value;
      if (pattern.length === 0) {
        if (typeof value === "string" && value.length === 0) return fillBytes(this, 0, from, to);
        throw nodeError(TypeError, "ERR_INVALID_ARG_VALUE", `The argument 'value' is invalid. Received ${inspect(value)}`);
      }
      for (let at = from; at < to; at++) this[at] = pattern[(at - from) % pattern.length];
      return this;
    }
    return fillBytes(this, typeof value === "boolean" ? +value : value & 255, from, to);
  }

  write(text, offset, length, encoding) {
    if (typeof text !== "string") throw nodeError(TypeError, "ERR_INVALID_ARG_TYPE", "argument must be a string");
    if (typeof offset === "string") [encoding, offset, length] = [offset, 0, undefined];
    else if (typeof length === "string") [encoding, length] = [length, undefined];
    const from = offset ?? 0;
    if (from < 0 || from > this.length) throw outOfRange("offset", `>= 0 && <= ${this.length}`, from);
    let bytes = new Uint8Array(encodeText(text, encoding));
    let size = Math.min(bytes.length, length ?? this.length, this.length - from);
    // Never part of a character.
    const name = encodingName(encoding);
    if (name === "utf16le") size &= ~1;
    if (name === "utf8" && size < bytes.length) while (size > 0 && (bytes[size] & 0xc0) === 0x80) size--;
    setBytes(this, partOf(bytes, 0, size), from);
    return size;
  }

  indexOf(value, from, encoding) { return findBytes(this, value, from, encoding, true); }
  lastIndexOf(value, from, encoding) { return findBytes(this, value, from, encoding, false); }
  includes(value, from, encoding) { return this.indexOf(value, from, encoding) >= 0; }

  swap16() { return swapBytes(this, 2); }
  swap32() { return swapBytes(this, 4); }
  swap64() { return swapBytes(this, 8); }

  readUIntBE(offset, size) { return readWide(this, offset, size, (at) => at); }
  readUIntLE(offset, size) { return readWide(this, offset, size, (at) => size - 1 - at); }
  readIntBE(offset, size) { return asSigned(this.readUIntBE(offset, size), size); }
  readIntLE(offset, size) { return asSigned(this.readUIntLE(offset, size), size); }
  writeUIntBE(value, offset, size) { return writeWide(this, value, offset, size, (at) => size - 1 - at); }
  writeUIntLE(value, offset, size) { return writeWide(this, value, offset, size, (at) => at); }
  writeIntBE(value, offset, size) { return writeWide(this, value, offset, size, (at) => size - 1 - at); }
  writeIntLE(value, offset, size) { return writeWide(this, value, offset, size, (at) => at); }

  get parent() { return this.buffer; }
  get offset() { return this.byteOffset; }

  [INSPECT](depth, options) {
    const limit = options?.maxArrayLength ?? 50;
    const shown = bytesToText(this.buffer, this.byteOffset, Math.min(50, limit, this.length), ENCODING_NUMBERS.hex);
    const left = this.length - shown.length / 2;
    const more = left > 0 ? ` ... ${left} more byte${left > 1 ? "s" : ""}` : "";
    return `<Buffer${shown === "" ? "" : " "}${shown.replace(/..(?!$)/g, "$& ")}${more}>`;
  }
}
Buffer.poolSize = 8192;

function findBytes(bytes, value, from, encoding, forward) {
  if (typeof from === "string") [encoding, from] = [from, undefined];
  let start = +from;
  if (start !== start) start = forward ? 0 : bytes.length;
  start = Math.trunc(start < 0 ? Math.max(bytes.length + start, forward ? 0 : -1) : start);
  let wanted = value;
  if (typeof value === "string") wanted = new Uint8Array(encodeText(value, encoding));
  else if (typeof value === "number") wanted = Uint8Array.of(value);
  else if (!isBytes(value)) {
    throw wrongType("value", "one of type number or string or an instance of Buffer or Uint8Array", value);
  }
  if (wanted.length === 0) return Math.min(start, bytes.length);
  const matches = (at) => {
    for (let index = 0; index < wanted.length; index++) if (bytes[at + index] !== wanted[index]) return false;
    return true;
  };
  const last = bytes.length - wanted.length;
  if (forward) {
    for (let at = start; at <= last; at++) if (matches(at)) return at;
  } else {
    for (let at = Math.min(start, last); at >= 0; at--) if (matches(at)) return at;
  }
  return -1;
}

function swapBytes(bytes, size) {
  if (bytes.length % size !== 0) {
    throw nodeError(RangeError, "ERR_INVALID_BUFFER_SIZE", `Buffer size must be a multiple of ${size * 8}-bits`);
  }
  for (let at = 0; at < bytes.length; at += size) partOf(bytes, at, at + size).reverse();
  return bytes;
}

function requireOffset(bytes, offset, size) {
  if (typeof offset !== "number") throw wrongType("offset", "of type number", offset);
  if (!Number.isInteger(offset)) throw outOfRange("offset", "an integer", offset);
  const last = bytes.length - size;
  if (last < 0) throw nodeError(RangeError, "ERR_BUFFER_OUT_OF_BOUNDS", "Attempt to access memory outside buffer bounds");
  if (offset < 0 || offset > last) throw outOfRange("offset", `>= 0 and <= ${last}`, offset);
}

function requireWidth(size) {
  if (typeof size !== "number") throw wrongType("byteLength", "of type number", size);
  if (!(size >= 1 && size <= 6)) throw outOfRange("byteLength", ">= 1 and <= 6", size);
}

function readWide(bytes, offset, size, place) {
  requireWidth(size);
  requireOffset(bytes, offset, size);
  let value = 0;
  for (let at = 0; at < size; at++) value = value * 256 + bytes[offset + place(at)];
  return value;
}

function asSigned(value, size) {
  return value >= 2 ** (8 * size - 1) ? value - 2 ** (8 * size) : value;
}

function writeWide(bytes, value, offset, size, place) {
  requireWidth(size);
  requireOffset(bytes, offset, size);
  let rest = +value < 0 ? +value + 2 ** (8 * size) : +value;
  for (let at = 0; at < size; at++) {
    bytes[offset + place(at)] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  return offset + size;
}

/** readUInt8 … writeBigInt64LE: a method for each number that a DataView knows. */
for (const [name, view, size, low, high] of [
  ["UInt8", "Uint8", 1, 0, 255], ["Int8", "Int8", 1, -128, 127], ["UInt16", "Uint16", 2, 0, 65535],
  ["Int16", "Int16", 2, -32768, 32767], ["UInt32", "Uint32", 4, 0, 2 ** 32 - 1],
  ["Int32", "Int32", 4, -(2 ** 31), 2 ** 31 - 1],
  ["BigUInt64", "BigUint64", 8, 0n, 2n ** 64n - 1n], ["BigInt64", "BigInt64", 8, -(2n ** 63n), 2n ** 63n - 1n],
  ["Float", "Float32", 4], ["Double", "Float64", 8],
]) {
  const read = uncurry(DataView.prototype[`get${view}`]);
  const write = uncurry(DataView.prototype[`set${view}`]);
  const viewOf = (bytes) => new DataView(typedArrayBuffer(bytes), typedArrayOffset(bytes), typedArrayByteSize(bytes));
  const range = typeof low === "bigint" ? `>= ${low === 0n ? "0n" : "-(2n ** 63n)"} and < 2n ** ${low === 0n ? 64 : 63}n`
    : `>= ${low} and <= ${high}`;
  for (const end of size === 1 ? [""] : ["LE", "BE"]) {
    const isLittle = end === "LE";
    const methods = {
      [`read${name}${end}`](offset = 0) {
        requireOffset(this, offset, size);
        return read(viewOf(this), offset, isLittle);
      },
      [`write${name}${end}`](value, offset = 0) {
        const number = typeof low === "bigint" ? value : +value;
        if (low !== undefined && (number < low || number > high)) throw outOfRange("value", range, value);
        requireOffset(this, offset, size);
        write(viewOf(this), offset, number, isLittle);
        return offset + size;
      },
    };
    for (const key of Object.keys(methods)) {
      defineValue(Buffer.prototype, key, methods[key], false);
      if (key.includes("UInt")) defineValue(Buffer.prototype, key.replace("UInt", "Uint"), methods[key], false);
    }
  }
}
for (const end of ["BE", "LE"]) {
  for (const action of ["read", "write"]) {
    defineValue(Buffer.prototype, `${action}Uint${end}`, Buffer.prototype[`${action}UInt${end}`], false);
  }
}
