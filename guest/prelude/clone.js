// structuredClone.

const CLONED_ERRORS = {
  __proto__: null, Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError,
};

function structuredClone(value, options) {
  requireArguments(arguments.length, 1, "structuredClone");
  const transfer = options?.transfer === undefined ? [] : [...options.transfer];
  for (const [at, item] of transfer.entries()) {
    if (!passes(bufferSize, item) || isDetached(item) || transfer.indexOf(item) < at) throw cloneError(item);
  }
  const clone = cloneValue(value, new Map());
  // Only now, when nothing can fail any more, the originals are taken away.
  for (const item of transfer) bufferTransfer(item);
  return clone;
}

/** `known` leads from originals to clones: shared references stay shared, and cycles end. */
function cloneValue(value, known) {
  if (typeof value === "symbol" || typeof value === "function") throw cloneError(value);
  if (!isObject(value)) return value;
  if (known.has(value)) return known.get(value);
  return clonerOf(value)(value, (clone) => known.set(value, clone), (part) => cloneValue(part, known));
}

function clonerOf(value) {
  if (isArray(value)) return cloneArray;
  let prototype = getPrototypeOf(value);
  for (let step = 0; prototype !== null && step < PROTOTYPE_LIMIT; step++) {
    const entry = CLONERS.get(prototype);
    if (entry) return passes(entry.check, value) ? entry.clone : clonePlain;
    prototype = getPrototypeOf(prototype);
  }
  return clonePlain;
}

function passes(check, value) {
  try {
    check(value);
    return true;
  } catch {
    return false;
  }
}

function cloneError(value) {
  return new DOMException(`${describe(value)} could not be cloned.`, "DataCloneError");
}

// Each cloner makes the clone, lets it be known with `found`, and only then clones the parts.

const copied = (check, copy) => ({
  check,
  clone(value, found) {
    const clone = copy(value);
    found(clone);
    return clone;
  },
});
const boxed = (unbox) => copied(unbox, (value) => Object(unbox(value)));
const refused = {
  check() {},
  clone(value) { throw cloneError(value); },
};

const CLONERS = new Map([
  [String.prototype, boxed(stringValue)],
  [Number.prototype, boxed(numberValue)],
  [Boolean.prototype, boxed(booleanValue)],
  [BigInt.prototype, boxed(bigintValue)],
  [Date.prototype, copied(dateValue, (value) => new Date(dateValue(value)))],
  [RegExp.prototype, copied(regexpSource, (value) => new RegExp(regexpSource(value), regexpFlags(value)))],
  [DOMException.prototype, copied(() => {}, (value) => new DOMException(value.message, value.name))],
  [ArrayBuffer.prototype, copied(bufferSize, (value) => bufferSlice(value, 0))],
  [TypedArray.prototype, { check: typedArrayLength, clone: cloneTypedArray }],
  [DataView.prototype, { check: dataViewSize, clone: cloneDataView }],
  [Map.prototype, { check: mapSize, clone: cloneMap }],
  [Set.prototype, { check: setSize, clone: cloneSet }],
  [Error.prototype, { check() {}, clone: cloneErrorObject }],
  ...[
    Symbol, Promise, WeakMap, WeakSet, WeakRef, FinalizationRegistry, TextEncoder, TextDecoder,
  ].map((constructor) => [constructor.prototype, refused]),
  [getPrototypeOf(function* () {}).prototype, refused],
  [getPrototypeOf(async function* () {}).prototype, refused],
]);

function clonePlain(value, found, clone) {
  const object = {};
  found(object);
  cloneProperties(value, object, clone);
  return object;
}

function cloneArray(value, found, clone) {
  const array = new Array(value.length);
  found(array);
  cloneProperties(value, array, clone);
  return array;
}

function cloneProperties(from, to, clone) {
  for (const key of Object.keys(from)) {
    // A getter that ran before may have removed it.
    if (hasOwn(from, key)) defineValue(to, key, clone(from[key]), true);
  }
}

function defineValue(object, key, value, enumerable) {
  defineProperty(object, key, { __proto__: null, value, enumerable, writable: true, configurable: true });
}

function cloneMap(value, found, clone) {
  const map = new Map();
  found(map);
  const entries = [];
  mapForEach(value, (item, key) => entries.push([key, item]));
  for (const [key, item] of entries) mapSet(map, clone(key), clone(item));
  return map;
}

function cloneSet(value, found, clone) {
  const set = new Set();
  found(set);
  const items = [];
  setForEach(value, (item) => items.push(item));
  for (const item of items) setAdd(set, clone(item));
  return set;
}

function cloneTypedArray(value, found, clone) {
  const constructor = INTRINSIC_VIEWS[typedArrayName(value)];
  const view = new constructor(clone(typedArrayBuffer(value)), typedArrayOffset(value), typedArrayLength(value));
  found(view);
  return view;
}

function cloneDataView(value, found, clone) {
  const view = new DataView(clone(dataViewBuffer(value)), dataViewOffset(value), dataViewSize(value));
  found(view);
  return view;
}

const INTRINSIC_VIEWS = { __proto__: null };
for (const key of Object.getOwnPropertyNames(globalThis)) {
  if (typeof globalThis[key] === "function" && getPrototypeOf(globalThis[key]) === TypedArray) {
    INTRINSIC_VIEWS[key] = globalThis[key];
  }
}

function cloneErrorObject(value, found, clone) {
  const constructor = CLONED_ERRORS[`${value.name}`] ?? Error;
  const message = getOwnPropertyDescriptor(value, "message");
  const error = new constructor(message && hasOwn(message, "value") ? `${message.value}` : undefined);
  found(error);
  const { stack } = value;
  if (typeof stack === "string") defineValue(error, "stack", stack, false);
  if (hasOwn(value, "cause")) defineValue(error, "cause", clone(value.cause), false);
  return error;
}
