// node:util.

const { inspect, format, formatWithOptions } = part("inspect");
const { timersPromises } = part("timers");
const PROMISIFY = Symbol.for("nodejs.util.promisify.custom");

function promisify(original) {
  if (typeof original !== "function") throw wrongType("original", "of type function", original);
  if (original[PROMISIFY] !== undefined) {
    requireCallback(original[PROMISIFY], "util.promisify.custom");
    return original[PROMISIFY];
  }
  function promised(...values) {
    return new Promise((resolve, reject) => {
      apply(original, this, [...values, (error, value) => error ? reject(error) : resolve(value)]);
    });
  }
  Object.setPrototypeOf(promised, getPrototypeOf(original));
  return Object.defineProperties(promised, Object.getOwnPropertyDescriptors(original));
}
promisify.custom = PROMISIFY;
for (const [timer, promised] of [[setTimeout, timersPromises.setTimeout], [setImmediate, timersPromises.setImmediate]]) {
  defineProperty(timer, PROMISIFY, { value: promised });
}

function callbackify(original) {
  requireCallback(original, "callbackify");
  return function (...values) {
    const callback = values.pop();
    requireCallback(callback, "a callbackified function");
    apply(original, this, values).then(
      (result) => nextTick(callback, null, result),
      (error) => nextTick(callback,
        error || nodeError(Error, "ERR_FALSY_VALUE_REJECTION", "Promise was rejected with falsy value")),
    );
  };
}

function inherits(constructor, parent) {
  requireCallback(constructor, "inherits");
  requireCallback(parent, "inherits");
  defineProperty(constructor, "super_", { value: parent, writable: true, configurable: true });
  Object.setPrototypeOf(constructor.prototype, parent.prototype);
}

function deprecate(original, message) {
  let isWarned = false;
  return function (...values) {
    if (!isWarned) logValues(LEVELS.warn, [`DeprecationWarning: ${message}`]);
    isWarned = true;
    return new.target ? Reflect.construct(original, values, new.target) : apply(original, this, values);
  };
}

const hasTag = (tag) => (value) => isObject(value) && objectText(value) === `[object ${tag}]`;
const checkedBy = (check) => (value) => isObject(value) && passes(check, value);
const utilTypes = {
  isAnyArrayBuffer: checkedBy(bufferSize),
  isArrayBuffer: checkedBy(bufferSize),
  isArrayBufferView: isView,
  isAsyncFunction: (value) => typeof value === "function" && /^\[object Async/.test(objectText(value)),
  isBigIntObject: checkedBy(bigintValue),
  isBooleanObject: checkedBy(booleanValue),
  isBoxedPrimitive: (value) => isObject(value)
    && [stringValue, numberValue, booleanValue, bigintValue, symbolValue].some((check) => passes(check, value)),
  isDataView: checkedBy(dataViewSize),
  isDate: checkedBy(dateValue),
  isGeneratorFunction: (value) => typeof value === "function" && /GeneratorFunction\]$/.test(objectText(value)),
  isGeneratorObject: hasTag("Generator"),
  isMap: checkedBy(mapSize),
  isNativeError: (value) => isObject(value) && !(value instanceof DOMException) && isErrorLike(value),
  isNumberObject: checkedBy(numberValue),
  isProxy,
  isPromise: (value) => promiseState(value) !== undefined,
  isRegExp: checkedBy(regexpSource),
  isSet: checkedBy(setSize),
  isStringObject: checkedBy(stringValue),
  isSymbolObject: checkedBy(symbolValue),
  isTypedArray: (value) => isObject(value) && typedArrayName(value) !== undefined,
  isUint8Array: (value) => isObject(value) && typedArrayName(value) === "Uint8Array",
  isWeakMap: checkedBy((value) => hasWeakKey(value, value)),
  isWeakSet: checkedBy((value) => hasWeakItem(value, value)),
};

const nodeUtil = {
  inspect, format, formatWithOptions, promisify, callbackify, inherits, deprecate, types: utilTypes,
  TextEncoder, TextDecoder, isArray,
  isDeepStrictEqual: (one, other) => part("equality").isDeepStrictEqual(one, other),
  debuglog: () => Object.assign(() => {}, { enabled: false }),
  stripVTControlCharacters: (text) => `${text}`.replace(/\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007]*\u0007/g, ""),
  styleText: (style, text) => `${text}`,
  parseArgs: unavailable("util.parseArgs", "a program has no command line; write the options as an object"),
  toUSVString: (text) => stringToWellFormed(`${text}`),
};
