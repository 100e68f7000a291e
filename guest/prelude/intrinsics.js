// What the rest of the prelude uses of ECMAScript, captured before a program can change it. Logging and encoding use
// nothing else: no method call on a value, no iteration protocol, and no template literal with parts, which QuickJS
// compiles to a call of String.prototype.concat.

const {
  Array, ArrayBuffer, BigInt, Boolean, DataView, Date, DOMException, Error, EvalError, JSON, Map, Math, Number, Object,
  Promise, Proxy, RangeError, ReferenceError, Reflect, RegExp, Set, String, Symbol, SyntaxError, TypeError, Uint8Array, URIError,
  WeakMap, WeakRef, WeakSet, atob, btoa, decodeURIComponent, encodeURIComponent, parseFloat, parseInt,
} = globalThis;
const globalObject = globalThis; // a program may delete this name, too
const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf, hasOwn, is } = Object;
const { apply, deleteProperty, ownKeys } = Reflect;
const { isArray } = Array;
const { isView } = ArrayBuffer;
const { fromCharCode, fromCodePoint } = String;
const { stringify } = JSON;
const {
  log: hostLog, write: hostWrite, setTimeout: hostSetTimeout, clearTimeout: hostClearTimeout, holdTimeout: hostHoldTimeout, record, hint, classOf,
  encode: encodeUtf8, decode: decodeUtf8, bytesToText, textToBytes, digest: digestBytes, random: fillRandom, clock, settled: promiseState, wakeTicks, loadPart,
  isProxy, itemsLeft, framesOf,
} = host;
const TypedArray = getPrototypeOf(Uint8Array);

/** Turns a method into a function that takes its receiver as the first argument. */
const uncurry = (() => {
  const { bind, call } = Function.prototype;
  return bind.bind(call);
})();
const getter = (prototype, key) => uncurry(getOwnPropertyDescriptor(prototype, key).get);

const stringCodeAt = uncurry(String.prototype.charCodeAt);
const stringCodePointAt = uncurry(String.prototype.codePointAt);
const stringIndexOf = uncurry(String.prototype.indexOf);
const stringSlice = uncurry(String.prototype.slice);
const stringToLowerCase = uncurry(String.prototype.toLowerCase);
const stringToWellFormed = uncurry(String.prototype.toWellFormed);
const stringTrim = uncurry(String.prototype.trim);
const stringValue = uncurry(String.prototype.valueOf);
const numberValue = uncurry(Number.prototype.valueOf);
const booleanValue = uncurry(Boolean.prototype.valueOf);
const bigintValue = uncurry(BigInt.prototype.valueOf);
const symbolValue = uncurry(Symbol.prototype.valueOf);
const symbolText = uncurry(Symbol.prototype.toString);
const dateValue = uncurry(Date.prototype.getTime);
const dateText = uncurry(Date.prototype.toISOString);
const regexpSource = getter(RegExp.prototype, "source");
const regexpFlags = getter(RegExp.prototype, "flags");
const mapGet = uncurry(Map.prototype.get);
const mapSet = uncurry(Map.prototype.set);
const mapSize = getter(Map.prototype, "size");
const mapForEach = uncurry(Map.prototype.forEach);
const setHas = uncurry(Set.prototype.has);
const setAdd = uncurry(Set.prototype.add);
const setSize = getter(Set.prototype, "size");
const setForEach = uncurry(Set.prototype.forEach);
const bufferSize = getter(ArrayBuffer.prototype, "byteLength");
const isDetached = getter(ArrayBuffer.prototype, "detached");
const bufferSlice = uncurry(ArrayBuffer.prototype.slice);
const bufferTransfer = uncurry(ArrayBuffer.prototype.transfer);
const typedArrayName = getter(TypedArray.prototype, Symbol.toStringTag);
const typedArrayBuffer = getter(TypedArray.prototype, "buffer");
const typedArrayOffset = getter(TypedArray.prototype, "byteOffset");
const typedArrayByteSize = getter(TypedArray.prototype, "byteLength");
const typedArrayLength = getter(TypedArray.prototype, "length");
const fillBytes = uncurry(TypedArray.prototype.fill);
const setBytes = uncurry(TypedArray.prototype.set);
const partOf = uncurry(TypedArray.prototype.subarray);
const dataViewBuffer = getter(DataView.prototype, "buffer");
const dataViewOffset = getter(DataView.prototype, "byteOffset");
const dataViewSize = getter(DataView.prototype, "byteLength");
const objectText = uncurry(Object.prototype.toString);
const hasWeakKey = uncurry(WeakMap.prototype.has);
const hasWeakItem = uncurry(WeakSet.prototype.has);

/** The value of an own data property, or undefined: no getter runs. */
function ownValue(object, key) {
  const property = getOwnPropertyDescriptor(object, key);
  return property && hasOwn(property, "value") ? property.value : undefined;
}

function isObject(value) {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

/** The buffer, offset and size in bytes of an ArrayBuffer or a view; throws a TypeError for anything else. */
function bytesOf(source) {
  if (!isView(source)) return { buffer: source, offset: 0, size: bufferSize(source) };
  if (typedArrayName(source) !== undefined) {
    return { buffer: typedArrayBuffer(source), offset: typedArrayOffset(source), size: typedArrayByteSize(source) };
  }
  return { buffer: dataViewBuffer(source), offset: dataViewOffset(source), size: dataViewSize(source) };
}

function requireArguments(count, wanted, name) {
  if (count < wanted) throw new TypeError(name + " takes at least " + wanted + " argument" + (wanted > 1 ? "s" : ""));
}

function tagPrototype(constructor, tag) {
  defineProperty(constructor.prototype, Symbol.toStringTag, { value: tag, configurable: true });
}
