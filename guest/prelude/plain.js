// Values as they leave the program. JSON loses Map, Set, Error and others without a word: here they get a form that
// keeps their content, and the author of a result gets a hint.

const HINT_KINDS = { __proto__: null, map: 0, set: 1, error: 2, numbers: 3, number: 4, date: 5, pending: 6, function: 7,
  iterator: 8, text: 9, other: 10 };

/** The replacer with which the shim writes results, inputs of tools and recorded steps, for values that it picks out. */
function toPlain(key, value) {
  if (value === null) {
    if (isInvalidDate(ownValue(this, key))) tell("date", key, "is an invalid date, and was returned as null");
    return value;
  }
  if (typeof value === "number") {
    tell("number", key, "is " + String(value) + ", which JSON does not have, and was returned as null");
    return value;
  }
  if (typeof value === "function") {
    tell("function", key, "is a function, and was left out; call it, and return its result");
    return value;
  }
  const name = typeof value === "bigint" ? "BigInt" : classOf(value);
  switch (name) {
    case "BigInt":
      throw new TypeError(placeOf(key, "the value") + " is a BigInt; convert it with String(…) or Number(…)");
    case "Map":
      tell("map", key, "is a Map, and was returned as a list of its entries; Object.fromEntries(…) makes it an object");
      return entriesOf(value);
    case "Set":
      tell("set", key, "is a Set, and was returned as a list of its members");
      return membersOf(value);
    case "Error":
    case "DOMException":
      tell("error", key, "is an Error, and was returned as its name, message and own properties");
      return errorParts(value);
    case "Promise":
      tell("pending", key, "is a Promise that was not awaited, and was returned as {}; await it, or a list of promises with `await Promise.all(…)`");
      return value;
    case "RegExp":
      tell("text", key, "is a regular expression, and was returned as its text");
      return "/" + regexpSource(value) + "/" + regexpFlags(value);
    case "ArrayBuffer":
      tell("numbers", key, "is an ArrayBuffer, and was returned as a list of its bytes");
      return numbersOf(new Uint8Array(value));
    case "DataView":
      tell("numbers", key, "is a DataView, and was returned as a list of its bytes");
      return numbersOf(new Uint8Array(dataViewBuffer(value), dataViewOffset(value), dataViewSize(value)));
  }
  if (isView(value)) {
    tell("numbers", key, "is a " + name + ", and was returned as a list of its numbers");
    return numbersOf(value);
  }
  if (stringIndexOf(name, "Iterator") >= 0 || stringIndexOf(name, "Generator") >= 0) {
    tell("iterator", key, "is an iterator, and was returned as {}; make it a list with Array.from(…)");
    return value;
  }
  const shown = name === "Object" ? classNameOf(value) : name;
  if (ownKeys(value).length === 0) {
    tell("other", key, "is a " + shown + " without properties of its own, and was returned as {}; return its values instead");
  }
  return value;
}

function tell(kind, key, text) {
  hint(HINT_KINDS[kind], placeOf(key, "the result") + " " + text);
}

function placeOf(key, whole) {
  if (key === "") return whole;
  const short = key.length > 60 ? stringSlice(key, 0, 60) + "…" : key;
  return "`" + stringToWellFormed(short) + "`";
}

function isInvalidDate(value) {
  if (!isObject(value) || classOf(value) !== "Date") return false;
  const time = dateValue(value);
  return time !== time;
}

function classNameOf(value) {
  const prototype = getPrototypeOf(value);
  const constructor = prototype === null ? undefined : ownValue(prototype, "constructor");
  const name = isObject(constructor) ? ownValue(constructor, "name") : undefined;
  return typeof name === "string" && name !== "" ? placeOf(name, "") : "object";
}

function add(list, value) {
  defineValue(list, list.length, value, true);
}

function entriesOf(map) {
  const entries = [];
  mapForEach(map, (value, key) => {
    const entry = [];
    add(entry, key);
    add(entry, value);
    add(entries, entry);
  });
  return entries;
}

function membersOf(set) {
  const members = [];
  setForEach(set, (value) => add(members, value));
  return members;
}

function numbersOf(view) {
  const numbers = [];
  const length = typedArrayLength(view);
  for (let index = 0; index < length; index++) add(numbers, view[index]);
  return numbers;
}

function errorParts(error) {
  const parts = {};
  defineValue(parts, "name", error.name, true);
  defineValue(parts, "message", error.message, true);
  const keys = ownKeys(error);
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index];
    if (typeof key !== "string" || key === "name" || key === "message" || key === "stack") continue;
    const { enumerable } = getOwnPropertyDescriptor(error, key);
    if (enumerable || key === "cause" || key === "errors") defineValue(parts, key, error[key], true);
  }
  return parts;
}
