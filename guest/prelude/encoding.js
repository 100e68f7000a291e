// TextEncoder and TextDecoder. Well-formed UTF-8 goes through the host's functions; the rest is decoded here.

class TextEncoder {
  get encoding() { return "utf-8"; }

  encode(input = "") {
    return new Uint8Array(encodeUtf8(stringToWellFormed(String(input))));
  }

  encodeInto(source, destination) {
    requireArguments(arguments.length, 2, "encodeInto");
    if (typedArrayName(destination) !== "Uint8Array") throw new TypeError("encodeInto writes into a Uint8Array");
    const text = stringToWellFormed(String(source));
    const room = typedArrayLength(destination);
    let read = 0;
    let written = 0;
    while (read < text.length) {
      const code = stringCodePointAt(text, read);
      const size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
      if (written + size > room) break;
      if (size === 1) {
        destination[written] = code;
      } else {
        destination[written] = (0xf00 >> size) & 0xff | code >> 6 * (size - 1);
        for (let at = 1; at < size; at++) destination[written + at] = 0x80 | code >> 6 * (size - 1 - at) & 0x3f;
      }
      written += size;
      read += size === 4 ? 2 : 1;
    }
    return { read, written };
  }
}
tagPrototype(TextEncoder, "TextEncoder");

const ENCODINGS = {
  __proto__: null,
  "utf-8": ["utf-8", "utf8", "unicode-1-1-utf-8", "unicode11utf8", "unicode20utf8", "x-unicode20utf8"],
  "utf-16le": ["utf-16le", "utf-16", "ucs-2", "unicode", "csunicode", "iso-10646-ucs-2", "unicodefeff"],
  "windows-1252": [
    "windows-1252", "ansi_x3.4-1968", "ascii", "cp1252", "cp819", "csisolatin1", "ibm819", "iso-8859-1", "iso-ir-100",
    "iso8859-1", "iso88591", "iso_8859-1", "iso_8859-1:1987", "l1", "latin1", "us-ascii", "x-cp1252",
  ],
};
const WINDOWS_1252 =
  "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";

function encodingOf(label) {
  const name = stringToLowerCase(trimAsciiSpace(String(label)));
  for (const encoding in ENCODINGS) {
    const labels = ENCODINGS[encoding];
    for (let at = 0; at < labels.length; at++) {
      if (labels[at] === name) return encoding;
    }
  }
  throw new RangeError("The " + stringify(name) + " encoding is not supported: use utf-8, utf-16le or latin1");
}

function trimAsciiSpace(text) {
  const isSpace = (at) => stringIndexOf("\t\n\f\r ", text[at]) >= 0;
  let from = 0;
  let to = text.length;
  while (from < to && isSpace(from)) from++;
  while (to > from && isSpace(to - 1)) to--;
  return stringSlice(text, from, to);
}

class TextDecoder {
  #encoding;
  #fatal;
  #ignoreBOM;
  #pending = []; // bytes of a character that the last chunk did not complete
  #started = false; // past the place of a byte order mark

  constructor(label = "utf-8", options = undefined) {
    this.#encoding = encodingOf(label);
    this.#fatal = !!options?.fatal;
    this.#ignoreBOM = !!options?.ignoreBOM;
  }

  get encoding() { return this.#encoding; }
  get fatal() { return this.#fatal; }
  get ignoreBOM() { return this.#ignoreBOM; }

  decode(input = new ArrayBuffer(0), options = undefined) {
    const stream = !!options?.stream;
    const { buffer, offset, size } = bytesOf(input);
    let text;
    try {
      text = this.#convert(buffer, offset, size, stream);
    } catch (error) {
      this.#pending = [];
      this.#started = false;
      throw error;
    }
    if (text !== "" && !this.#started) {
      if (this.#encoding !== "windows-1252" && !this.#ignoreBOM && text[0] === "\ufeff") text = stringSlice(text, 1);
      this.#started = true;
    }
    if (!stream) {
      this.#pending = [];
      this.#started = false;
    }
    return text;
  }

  #convert(buffer, offset, size, stream) {
    if (size === 0 && this.#pending.length === 0) return "";
    if (this.#encoding === "utf-8" && this.#pending.length === 0) {
      const text = decodeUtf8(buffer, offset, size);
      if (text !== undefined) return text;
    }
    const bytes = new Uint8Array(this.#pending.length + size);
    const added = new Uint8Array(buffer, offset, size);
    for (let at = 0; at < this.#pending.length; at++) bytes[at] = this.#pending[at];
    for (let at = 0; at < size; at++) bytes[this.#pending.length + at] = added[at];
    const { text, rest } = CONVERTERS[this.#encoding](bytes, this.#fatal, stream);
    this.#pending = rest;
    return text;
  }
}
tagPrototype(TextDecoder, "TextDecoder");

const CONVERTERS = { __proto__: null, "utf-8": convertUtf8, "utf-16le": convertUtf16, "windows-1252": convert1252 };

// The converters return the text of all complete characters and, while more is to come, the bytes of the incomplete one.

function convertUtf8(bytes, fatal, stream) {
  const size = typedArrayLength(bytes);
  let text = "";
  let at = 0;
  while (at < size) {
    const first = bytes[at];
    if (first < 0x80) {
      text += fromCharCode(first);
      at++;
      continue;
    }
    const length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
    let low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
    let high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
    let code = length === 0 ? 0 : first & 0x7f >> length;
    let taken = 1;
    while (taken < length && at + taken < size && bytes[at + taken] >= low && bytes[at + taken] <= high) {
      code = code << 6 | bytes[at + taken] & 0x3f;
      taken++;
      low = 0x80;
      high = 0xbf;
    }
    if (taken === length) {
      text += fromCodePoint(code);
    } else {
      if (stream && taken < length && at + taken === size) return { text, rest: bytesFrom(bytes, at) };
      text += replacement(fatal);
    }
    at += taken;
  }
  return { text, rest: [] };
}

function convertUtf16(bytes, fatal, stream) {
  const size = typedArrayLength(bytes);
  let text = "";
  let at = 0;
  for (; at + 1 < size; at += 2) {
    const unit = bytes[at] | bytes[at + 1] << 8;
    if (unit < 0xd800 || unit > 0xdfff) {
      text += fromCharCode(unit);
      continue;
    }
    if (unit < 0xdc00 && at + 3 >= size) break;
    const next = unit < 0xdc00 ? bytes[at + 2] | bytes[at + 3] << 8 : 0;
    if (next >= 0xdc00 && next <= 0xdfff) {
      text += fromCharCode(unit) + fromCharCode(next);
      at += 2;
    } else {
      text += replacement(fatal);
    }
  }
  if (at === size) return { text, rest: [] };
  return stream ? { text, rest: bytesFrom(bytes, at) } : { text: text + replacement(fatal), rest: [] };
}

function convert1252(bytes) {
  const size = typedArrayLength(bytes);
  let text = "";
  for (let at = 0; at < size; at++) {
    const byte = bytes[at];
    text += byte >= 0x80 && byte < 0xa0 ? WINDOWS_1252[byte - 0x80] : fromCharCode(byte);
  }
  return { text, rest: [] };
}

function bytesFrom(bytes, from) {
  const rest = [];
  for (let at = from; at < typedArrayLength(bytes); at++) rest[at - from] = bytes[at];
  return rest;
}

function replacement(fatal) {
  if (fatal) throw new TypeError("The encoded data was not valid for its encoding");
  return "\ufffd";
}

/** UTF-8 with U+FFFD for what is malformed; a byte order mark stays. */
function decodeLossy(bytes) {
  const text = decodeUtf8(typedArrayBuffer(bytes), typedArrayOffset(bytes), typedArrayLength(bytes));
  return text ?? convertUtf8(bytes, false, false).text;
}
