// What util.inspect knows about each kind of object: its name, its braces, and the parts between them.

/**
 * Looks at an object: `whole` is all of its text where nothing is inside; otherwise `parts` makes the texts of its
 * contents, and `keys` are the properties to append.
 */
function lookAt(state, value) {
  const { showHidden } = state.settings;
  const constructor = constructorName(value);
  let tag = value[Symbol.toStringTag];
  if (typeof tag !== "string" || (tag !== "" && (showHidden ? hasOwn(value, Symbol.toStringTag)
    : Object.prototype.propertyIsEnumerable.call(value, Symbol.toStringTag)))) tag = "";
  const look = {
    constructor, tag, base: "", braces: ["{", "}"], isList: false, parts: () => [], whole: undefined,
    keys: shownKeys(value, showHidden, false),
  };
  const list = (prefix) => {
    look.isList = true;
    look.braces = [`${prefix}[`, "]"];
    look.keys = shownKeys(value, showHidden, true);
  };
  const name = (fallback, size = "") => namePrefix(constructor, tag, fallback, size);
  const emptyWhole = (isEmpty) => {
    if (isEmpty && look.keys.length === 0) look.whole = look.braces[0] + look.braces[1];
  };
  if (isArray(value)) {
    list(constructor !== "Array" || tag !== "" ? name("Array", `(${value.length})`) : "");
    look.parts = (inner, depth) => arrayParts(inner, value, depth);
    emptyWhole(value.length === 0);
  } else if (passes(setSize, value)) {
    look.braces[0] = `${name("Set", `(${setSize(value)})`)}{`;
    look.parts = (inner, depth) => collectionParts(inner, setSize(value), depth,
      (each) => setForEach(value, (item) => each(item)));
    emptyWhole(setSize(value) === 0);
  } else if (passes(mapSize, value)) {
    look.braces[0] = `${name("Map", `(${mapSize(value)})`)}{`;
    look.parts = (inner, depth) => collectionParts(inner, mapSize(value), depth,
      (each) => mapForEach(value, (item, key) => each(key, item)));
    emptyWhole(mapSize(value) === 0);
  } else if (typedArrayName(value) !== undefined) {
    const length = typedArrayLength(value);
    list(namePrefix(constructor, constructor === typedArrayName(value) ? "" : tag, typedArrayName(value), `(${length})`));
    look.parts = (inner) => typedArrayParts(inner, value, length);
    emptyWhole(length === 0);
  } else {
    lookAtOther(state, value, look, name, emptyWhole);
  }
  return look;
}

function lookAtOther(state, value, look, name, emptyWhole) {
  const wholeWithout = (base) => {
    look.base = base;
    if (look.keys.length === 0) look.whole = base;
  };
  if (typeof value === "function") return wholeWithout(functionBase(value, look.constructor, look.tag));
  if (isArguments(value)) {
    look.braces[0] = "[Arguments] {";
    return emptyWhole(true);
  }
  if (passes(regexpSource, value) && value !== RegExp.prototype) {
    const text = `/${regexpSource(value)}/${regexpFlags(value)}`;
    return wholeWithout(look.constructor === "RegExp" ? text : `${name("RegExp")}${text}`);
  }
  if (passes(dateValue, value)) {
    const text = dateValue(value) === dateValue(value) ? dateText(value) : "Invalid Date";
    return wholeWithout(look.constructor === "Date" ? text : `${name("Date")}${text}`);
  }
  if (isErrorLike(value)) return lookAtError(state, value, look, wholeWithout);
  if (passes(bufferSize, value)) {
    look.braces[0] = `${name("ArrayBuffer")}{`;
    look.parts = (inner) => [`[Uint8Contents]: <${hexBytes(inner, value)}>`, `[byteLength]: ${bufferSize(value)}`];
    return;
  }
  if (passes(dataViewSize, value)) {
    look.braces[0] = `${name("DataView")}{`;
    look.parts = (inner, depth) => ["byteLength", "byteOffset", "buffer"].map((key) => {
      inner.indentation += 2;
      const text = `[${key}]: ${inspectValue(inner, value[key], depth)}`;
      inner.indentation -= 2;
      return text;
    });
    return;
  }
  const settlement = promiseState(value);
  if (settlement !== undefined) {
    look.braces[0] = `${name("Promise")}{`;
    look.parts = (inner, depth) => [promiseText(inner, settlement, depth)];
    return;
  }
  for (const [kind, check] of WEAK_KINDS) {
    if (!passes(check, value)) continue;
    look.braces[0] = `${name(kind)}{`;
    look.parts = () => ["<items unknown>"];
    return;
  }
  const left = itemsLeft(value);
  if (left !== undefined) return lookAtIterator(left, look);
  const boxed = boxedText(state, value);
  if (boxed !== undefined) {
    const isText = passes(stringValue, value);
    if (isText) look.keys = look.keys.filter((key) => typeof key === "symbol" || !/^\d+$/.test(key));
    const subclass = look.constructor !== boxed.kind && look.constructor !== null ? ` (${look.constructor})` : "";
    return wholeWithout(`[${boxed.kind}${subclass}: ${boxed.text}]`);
  }
  const prefix = look.constructor === "Object" && look.tag === "" ? "" : name("Object");
  look.braces[0] = `${prefix}{`;
  emptyWhole(true);
}

/** An iterator of a Map or a Set: whether it gives entries, and what it has not given yet. */
function lookAtIterator([areEntries, ...items], look) {
  look.braces[0] = `[${areEntries ? look.tag.replace(/Iterator$/, "Entries") : look.tag}] {`;
  const pair = (inner, [key, value], depth) => {
    inner.indentation += 2;
    const texts = [inspectValue(inner, key, depth), inspectValue(inner, value, depth)];
    inner.indentation -= 2;
    return layOut(inner, texts, "", { braces: ["[", "]"], isList: true }, depth);
  };
  look.parts = (inner, depth) => {
    if (!areEntries) return collectionParts(inner, items.length, depth, (each) => items.forEach((item) => each(item)));
    const shown = items.slice(0, Math.max(0, inner.settings.maxArrayLength));
    const parts = shown.map((item) => pair(inner, item, depth));
    if (items.length > shown.length) parts.push(moreItems(items.length - shown.length));
    return parts;
  };
}

const WEAK_KINDS = [["WeakMap", (value) => hasWeakKey(value, value)], ["WeakSet", (value) => hasWeakItem(value, value)]];

function isArguments(value) {
  return objectText(value) === "[object Arguments]" && getOwnPropertyDescriptor(value, "callee")?.enumerable === false;
}

function boxedText(state, value) {
  for (const [kind, unbox] of [["String", stringValue], ["Number", numberValue], ["Boolean", booleanValue],
    ["BigInt", bigintValue], ["Symbol", symbolValue]]) {
    if (!passes(unbox, value) || setHas(INTRINSIC_PROTOTYPES, value)) continue;
    return { kind, text: inspectPrimitive(state, unbox(value)) };
  }
  return undefined;
}

/** The name of the constructor that made an object; null where it has no prototype. */
function constructorName(value) {
  let first;
  for (let object = value, step = 0; object !== null && step < PROTOTYPE_LIMIT; step++) {
    const made = getOwnPropertyDescriptor(object, "constructor")?.value;
    if (typeof made === "function" && made.name !== "" && isInstance(value, made)) return made.name;
    object = getPrototypeOf(object);
    if (first === undefined) first = object;
  }
  return first === null ? null : `Object <${inspect(first, { depth: -1 })}>`;
}

function isInstance(value, constructor) {
  try {
    return value instanceof constructor;
  } catch {
    return false;
  }
}

function namePrefix(constructor, tag, fallback, size = "") {
  const shownTag = tag !== "" && !constructor?.includes(tag) ? `[${tag}] ` : "";
  if (constructor === null) {
    return `[${fallback}${size}: null prototype] ${tag !== "" && fallback !== tag ? `[${tag}] ` : ""}`;
  }
  return `${constructor}${size} ${shownTag}`;
}

function shownKeys(value, showHidden, withoutIndices) {
  const keys = ownKeys(value).filter((key) => {
    if (withoutIndices && typeof key === "string" && /^(0|[1-9]\d*)$/.test(key) && key < 2 ** 32 - 1) return false;
    return showHidden || getOwnPropertyDescriptor(value, key)?.enumerable;
  });
  return keys;
}

function arrayParts(state, value, depth) {
  const parts = [];
  const limit = Math.max(0, state.settings.maxArrayLength);
  let shown = 0;
  let at = 0;
  for (; at < value.length && shown < limit; shown++) {
    if (hasOwn(value, at)) {
      parts.push(inspectProperty(state, value, `${at++}`, depth, AS_ELEMENT));
      continue;
    }
    const from = at;
    const next = Object.keys(value).find((key) => key >= from && /^\d+$/.test(key));
    at = next === undefined ? value.length : Number(next);
    parts.push(`<${at - from} empty item${at - from > 1 ? "s" : ""}>`);
  }
  if (at < value.length) parts.push(moreItems(value.length - at));
  return parts;
}

const moreItems = (count) => `... ${count} more item${count > 1 ? "s" : ""}`;

function collectionParts(state, size, depth, forEach) {
  const parts = [];
  const limit = Math.max(0, state.settings.maxArrayLength);
  state.indentation += 2;
  forEach(function (key, item) {
    if (parts.length >= limit) return;
    const text = inspectValue(state, key, depth);
    parts.push(arguments.length > 1 ? `${text} => ${inspectValue(state, item, depth)}` : text);
  });
  if (size > limit) parts.push(moreItems(size - limit));
  state.indentation -= 2;
  return parts;
}

function typedArrayParts(state, value, length) {
  const limit = Math.min(Math.max(0, state.settings.maxArrayLength), length);
  const parts = [];
  for (let at = 0; at < limit; at++) parts.push(inspectPrimitive(state, value[at]));
  if (length > limit) parts.push(moreItems(length - limit));
  return parts;
}

function hexBytes(state, buffer) {
  const limit = Math.min(Math.max(0, state.settings.maxArrayLength), bufferSize(buffer));
  const text = bytesToText(buffer, 0, limit, ENCODING_NUMBERS.hex).replace(/..(?!$)/g, "$& ");
  const left = bufferSize(buffer) - limit;
  return left > 0 ? `${text} ... ${left} more byte${left > 1 ? "s" : ""}` : text;
}

function promiseText(state, [settled, value], depth) {
  if (settled === 0) return "<pending>";
  state.indentation += 2;
  const text = inspectValue(state, value, depth);
  state.indentation -= 2;
  return settled === 2 ? `<rejected> ${text}` : text;
}

function functionBase(value, constructor, tag) {
  const property = getOwnPropertyDescriptor(value, "prototype");
  if (property && !property.writable && !setHas(INTRINSIC_CONSTRUCTORS, value) && isObject(property.value)
    && hasOwn(property.value, "constructor")) return classBase(value, constructor);
  const kind = /^(Async)?(Generator)?Function$/.test(tag) ? tag : "Function";
  let base = `[${kind}`;
  if (constructor === null) base += " (null prototype)";
  base += value.name === "" ? " (anonymous)" : `: ${value.name}`;
  base += "]";
  if (constructor !== kind && constructor !== "Function" && constructor !== null) base += ` ${constructor}`;
  if (tag !== "" && constructor !== tag && tag !== kind) base += ` [${tag}]`;
  return base;
}

function classBase(value, constructor) {
  const name = hasOwn(value, "name") && value.name !== "" ? value.name : "(anonymous)";
  let base = `class ${name}`;
  if (constructor !== "Function" && constructor !== null) base += ` [${constructor}]`;
  if (constructor === null) base += " extends null";
  else if (getPrototypeOf(value)?.name) base += ` extends ${getPrototypeOf(value).name}`;
  return `[${base}]`;
}

function lookAtError(state, value, look, wholeWithout) {
  let title = errorTitle(value);
  const ownName = look.constructor;
  if (ownName !== null && readText(value, "name") === "Error" && /Error$/.test(ownName) && title.startsWith("Error")) {
    title = ownName + title.slice(5);
  }
  const frames = errorFrames(value, errorTitle(value));
  const indented = (text) => text.replaceAll("\n", `\n${" ".repeat(state.indentation)}`);
  look.keys = look.keys.filter((key) => key !== "stack" && key !== "message"
    && !(key === "name" && title.includes(readText(value, "name"))));
  for (const key of ["cause", "errors"]) {
    if (hasOwn(value, key) && !look.keys.includes(key)) look.keys.push(key);
  }
  wholeWithout(indented(frames === "" ? `[${title}]` : title + frames));
}
