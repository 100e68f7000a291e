// node:crypto.

const { Buffer } = part("bytes");

function digestName(algorithm) {
  const name = String(algorithm).toLowerCase().replace(/^(rsa-)?sha-?/, "sha");
  if (DIGESTS[name] === undefined) {
    throw nodeError(Error, "ERR_OSSL_EVP_UNSUPPORTED",
      `Digest method not supported: ${algorithm} is none of ${Object.keys(DIGESTS).join(", ")}`);
  }
  return name;
}

class Hash {
  #algorithm;
  #chunks = [];
  #isDone = false;
  #key; // of an HMAC: as long as a block

  constructor(algorithm, key) {
    this.#algorithm = digestName(algorithm);
    if (key === undefined) return;
    const size = DIGESTS[this.#algorithm] >= DIGESTS.sha384 ? 128 : 64;
    const bytes = copyBytes(key, "utf8", "key");
    this.#key = new Uint8Array(size);
    this.#key.set(bytes.length > size ? new Uint8Array(digestOf(bytes, this.#algorithm)) : bytes);
    this.#chunks.push(this.#key.map((byte) => byte ^ 0x36));
  }

  update(data, encoding) {
    if (this.#isDone) throw nodeError(Error, "ERR_CRYPTO_HASH_FINALIZED", "Digest already called");
    this.#chunks.push(copyBytes(data, encoding));
    return this;
  }

  digest(encoding) {
    if (this.#isDone) throw nodeError(Error, "ERR_CRYPTO_HASH_FINALIZED", "Digest already called");
    this.#isDone = true;
    let digest = digestOf(Buffer.concat(this.#chunks), this.#algorithm);
    if (this.#key) {
      const outer = [this.#key.map((byte) => byte ^ 0x5c), new Uint8Array(digest)];
      digest = digestOf(Buffer.concat(outer), this.#algorithm);
    }
    const bytes = Buffer.from(digest);
    return encoding === undefined || encoding === "buffer" ? bytes : bytes.toString(encoding);
  }

  copy() {
    if (this.#isDone) throw nodeError(Error, "ERR_CRYPTO_HASH_FINALIZED", "Digest already called");
    const copy = new Hash(this.#algorithm);
    copy.#chunks = [...this.#chunks];
    return copy;
  }
}
class Hmac extends Hash {}

/** Gives a result to a callback, or returns it where there is none. */
function answer(callback, result) {
  if (callback === undefined) return result;
  requireCallback(callback, "the callback");
  setImmediate(callback, null, result);
}

function randomInt(low, high, callback) {
  if (high === undefined || typeof high === "function") [low, high, callback] = [0, low, high];
  if (!Number.isSafeInteger(low)) throw wrongType("min", "a safe integer", low);
  if (!Number.isSafeInteger(high)) throw wrongType("max", "a safe integer", high);
  if (high <= low) throw outOfRange("max", `greater than the value of "min" (${low})`, high);
  const range = high - low;
  if (range > 2 ** 48 - 1) throw outOfRange("max - min", `<= ${2 ** 48 - 1}`, range);
  const limit = 2 ** 48 - 2 ** 48 % range;
  let drawn;
  do drawn = Buffer.from(randomBytesOf(6)).readUIntBE(0, 6);
  while (drawn >= limit);
  return answer(callback, low + drawn % range);
}

const nodeCrypto = {
  createHash: (algorithm) => new Hash(algorithm),
  createHmac(algorithm, key) {
    if (key === undefined) {
      throw wrongType("key", "of type string or an instance of ArrayBuffer, Buffer, TypedArray, or DataView", key);
    }
    return new Hmac(algorithm, key);
  },
  hash: (algorithm, data, encoding = "hex") => new Hash(algorithm).update(data).digest(encoding),
  getHashes: () => Object.keys(DIGESTS),
  randomUUID: () => crypto.randomUUID(),
  getRandomValues: (array) => crypto.getRandomValues(array),
  randomBytes(size, callback) {
    requireSize(size);
    return answer(callback, Buffer.from(randomBytesOf(size).buffer));
  },
  randomFillSync(array) {
    const { buffer, offset, size } = bytesOf(array);
    fillRandom(buffer, offset, size);
    return array;
  },
  randomInt,
  timingSafeEqual(one, other) {
    if (!isView(one)) throw wrongType("buf1", "an instance of ArrayBuffer, Buffer, TypedArray, or DataView", one);
    if (!isView(other)) throw wrongType("buf2", "an instance of ArrayBuffer, Buffer, TypedArray, or DataView", other);
    if (one.byteLength !== other.byteLength) {
      throw nodeError(RangeError, "ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH", "Input buffers must have the same byte length");
    }
    return compareBytes(copyBytes(one), copyBytes(other)) === 0;
  },
  webcrypto: crypto,
  subtle: crypto.subtle,
  Hash,
  Hmac,
};
