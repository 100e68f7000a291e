// crypto: digests, and chance from the recorded seed of the execution. Nothing that is drawn here is secret.

const DIGESTS = { __proto__: null, md5: 0, sha1: 1, sha224: 2, sha256: 3, sha384: 4, sha512: 5 };
const RANDOM_LIMIT = 65536;

function digestOf(bytes, algorithm) {
  return digestBytes(typedArrayBuffer(bytes), typedArrayOffset(bytes), typedArrayByteSize(bytes), DIGESTS[algorithm]);
}

function randomBytesOf(size) {
  const bytes = new Uint8Array(size);
  fillRandom(typedArrayBuffer(bytes), 0, size);
  return bytes;
}

class SubtleCrypto {
  constructor(key) {
    if (key !== CONSTRUCT) throw new TypeError("Illegal constructor");
  }

  async digest(algorithm, data) {
    requireArguments(arguments.length, 2, "digest");
    const name = String(isObject(algorithm) ? algorithm.name : algorithm);
    const short = name.toLowerCase().replace("-", "");
    if (!/^sha-/i.test(name) || short === "sha224" || DIGESTS[short] === undefined) {
      throw new DOMException(`${name} is not available: digest knows SHA-1, SHA-256, SHA-384 and SHA-512`,
        "NotSupportedError");
    }
    const { buffer, offset, size } = bytesOf(data);
    return digestBytes(buffer, offset, size, DIGESTS[short]);
  }
}
for (const method of [
  "encrypt", "decrypt", "sign", "verify", "generateKey", "deriveKey", "deriveBits", "importKey", "exportKey", "wrapKey",
  "unwrapKey",
]) {
  defineValue(SubtleCrypto.prototype, method, async () => {
    throw new DOMException(`crypto.subtle.${method} is not available: there are digests here and no keys; call a tool, `
      + "or use createHmac of node:crypto", "NotSupportedError");
  }, true);
}
tagPrototype(SubtleCrypto, "SubtleCrypto");

class Crypto {
  #subtle = new SubtleCrypto(CONSTRUCT);

  constructor(key) {
    if (key !== CONSTRUCT) throw new TypeError("Illegal constructor");
  }

  get subtle() { return this.#subtle; }

  getRandomValues(array) {
    requireArguments(arguments.length, 1, "getRandomValues");
    const name = isView(array) ? typedArrayName(array) : undefined;
    if (name === undefined || name.startsWith("Float")) {
      throw new DOMException("The data argument must be an integer-type TypedArray", "TypeMismatchError");
    }
    if (typedArrayByteSize(array) > RANDOM_LIMIT) {
      throw new DOMException("The requested length exceeds 65,536 bytes", "QuotaExceededError");
    }
    fillRandom(typedArrayBuffer(array), typedArrayOffset(array), typedArrayByteSize(array));
    return array;
  }

  randomUUID() {
    const bytes = randomBytesOf(16);
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    const hex = bytesToText(typedArrayBuffer(bytes), 0, 16, ENCODING_NUMBERS.hex);
    const part = (from, to) => stringSlice(hex, from, to);
    return part(0, 8) + "-" + part(8, 12) + "-" + part(12, 16) + "-" + part(16, 20) + "-" + part(20, 32);
  }
}
tagPrototype(Crypto, "Crypto");
const crypto = new Crypto(CONSTRUCT);
