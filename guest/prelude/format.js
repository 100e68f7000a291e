// Values as text: one line, like JSON where JSON has a form for it. Whatever the value does, this does not throw.

const DEPTH_LIMIT = 6;
const ELEMENT_LIMIT = 100;
const TEXT_LIMIT = 64 * 1024;
const PROTOTYPE_LIMIT = 32;
// Formatting may run the program's proxies and getters, and they may log: this many levels of that are rendered.
const NESTING_LIMIT = 2;
let nesting = 0;

/** A thrown or rejected value in one line. */
function describe(value) {
  return formatted((out) => {
    if (isErrorLike(value)) write(out, errorTitle(value));
    else writeArgument(out, value);
  });
}

/** What a call of a console method logs. */
function formatArguments(values) {
  return formatted((out) => {
    let next = 0;
    if (values.length > 1 && typeof values[0] === "string") next = writeTemplate(out, values);
    for (; next < values.length && !out.full; next++) {
      if (next > 0) write(out, " ");
      writeArgument(out, values[next]);
    }
  });
}

function formatted(produce) {
  if (nesting >= NESTING_LIMIT) return "…";
  const out = { text: "", full: false, ancestors: null };
  nesting++;
  try {
    produce(out);
  } catch {
    write(out, "[unreadable]");
  } finally {
    nesting--;
  }
  return stringToWellFormed(out.text);
}

function write(out, text) {
  if (out.full) return;
  const room = TEXT_LIMIT - out.text.length;
  if (text.length <= room) {
    out.text += text;
    return;
  }
  const last = room > 0 ? stringCodeAt(text, room - 1) : 0;
  out.text += stringSlice(text, 0, last >= 0xd800 && last < 0xdc00 ? room - 1 : room) + "…";
  out.full = true;
}

/** Writes the first argument with its % directives filled in; returns the index of the first argument it did not use. */
function writeTemplate(out, values) {
  const template = values[0];
  let next = 1;
  let done = 0;
  for (let at = stringIndexOf(template, "%"); at >= 0; at = stringIndexOf(template, "%", at)) {
    const directive = template[at + 1];
    if (directive === "%") {
      write(out, stringSlice(template, done, at + 1));
    } else if (next < values.length && isDirective(directive)) {
      write(out, stringSlice(template, done, at));
      writeDirective(out, directive, values[next++]);
    } else {
      at++;
      continue;
    }
    at += 2;
    done = at;
  }
  write(out, stringSlice(template, done));
  return next;
}

function isDirective(letter) {
  return letter !== undefined && stringIndexOf("sdifjoOc", letter) >= 0;
}

function writeDirective(out, directive, value) {
  const convert = (conversion) => numberText(isObject(value) || typeof value === "symbol" ? NaN : conversion(value));
  switch (directive) {
    case "s": return writeArgument(out, value);
    case "d": return typeof value === "bigint" ? writeValue(out, value, 0) : write(out, convert(Number));
    case "i": return typeof value === "bigint" ? writeValue(out, value, 0) : write(out, convert(parseInt));
    case "f": return write(out, convert(parseFloat));
    case "j": return write(out, jsonText(value));
    case "c": return;
    default: return writeValue(out, value, 0);
  }
}

function jsonText(value) {
  try {
    return "" + stringify(value);
  } catch {
    return "[not JSON]";
  }
}

/** A value at the top level: strings as they are, errors with their stack. */
function writeArgument(out, value) {
  if (typeof value === "string") write(out, value);
  else writeValue(out, value, 0);
}

function writeValue(out, value, depth) {
  switch (typeof value) {
    case "string": return write(out, stringify(value.length > TEXT_LIMIT ? stringSlice(value, 0, TEXT_LIMIT) : value));
    case "number": return write(out, numberText(value));
    case "bigint": return write(out, "" + value + "n");
    case "symbol": return write(out, symbolText(value));
    case "function": return writeObject(out, value, depth, writeFunction);
    case "object": return value === null ? write(out, "null") : writeObject(out, value, depth, writeAny);
    default: return write(out, "" + value);
  }
}

function numberText(value) {
  return is(value, -0) ? "-0" : "" + value;
}

/** Guards one object: cycles, the depth, and whatever it throws while it is looked at. */
function writeObject(out, value, depth, writeBody) {
  if (out.full) return;
  for (let above = out.ancestors; above; above = above.next) {
    if (above.value === value) return write(out, "[Circular]");
  }
  const ancestors = out.ancestors;
  const before = out.text;
  out.ancestors = { value, next: ancestors };
  try {
    writeBody(out, value, depth);
  } catch {
    out.text = before;
    out.full = false;
    write(out, "[unreadable]");
  }
  out.ancestors = ancestors;
}

function writeFunction(out, value) {
  const name = ownValue(value, "name");
  write(out, typeof name === "string" && name !== "" ? "[Function: " + name + "]" : "[Function (anonymous)]");
}

function writeAny(out, value, depth) {
  const { name, render } = classify(value);
  if (render) {
    const before = out.text;
    try {
      return render(out, value, name, depth);
    } catch {
      // Has the prototype of a built-in and is none.
      out.text = before;
      out.full = false;
    }
  }
  if (isArray(value)) writeArray(out, value, name === "Array" ? "" : name + "(" + value.length + ") ", depth);
  else writeProperties(out, value, name === "Object" ? "" : name + " ", depth);
}

/** The name of an object's class, and how to render it if that is a built-in one. */
function classify(value) {
  let name;
  let tag;
  let prototype = getPrototypeOf(value);
  for (let step = 0; prototype !== null && step < PROTOTYPE_LIMIT; step++) {
    if (name === undefined) {
      const constructor = ownValue(prototype, "constructor");
      const text = typeof constructor === "function" ? ownValue(constructor, "name") : undefined;
      if (typeof text === "string" && text !== "") name = text;
    }
    tag ??= ownValue(prototype, Symbol.toStringTag);
    const render = mapGet(RENDERERS, prototype);
    if (render) return { name: name ?? "Object", render };
    prototype = getPrototypeOf(prototype);
  }
  if (name === undefined || (name === "Object" && typeof tag === "string")) name = tag;
  return { name: typeof name === "string" ? name : "Object", render: undefined };
}

const RENDERERS = new Map([
  [Error.prototype, writeError],
  [DOMException.prototype, writeError],
  [Date.prototype, (out, value) => {
    write(out, dateValue(value) === dateValue(value) ? stringify(dateText(value)) : "Invalid Date");
  }],
  [RegExp.prototype, (out, value) => write(out, "/" + regexpSource(value) + "/" + regexpFlags(value))],
  [Map.prototype, (out, value, name, depth) => {
    writeCollection(out, name + "(" + mapSize(value) + ") {", depth,
      (each) => mapForEach(value, (item, key) => each(key, item)));
  }],
  [Set.prototype, (out, value, name, depth) => {
    writeCollection(out, name + "(" + setSize(value) + ") {", depth, (each) => setForEach(value, (item) => each(item)));
  }],
  [ArrayBuffer.prototype, (out, value, name) => write(out, name + "(" + bufferSize(value) + ")")],
  [DataView.prototype, (out, value, name) => write(out, name + "(" + dataViewSize(value) + ")")],
  [TypedArray.prototype, (out, value, name, depth) => {
    writeElements(out, name + "(" + typedArrayLength(value) + ") ", typedArrayLength(value), depth,
      (index) => writeValue(out, value[index], depth));
  }],
  [Promise.prototype, (out, value, name) => write(out, name + " {…}")],
  [WeakMap.prototype, (out, value, name) => write(out, name + " {…}")],
  [WeakSet.prototype, (out, value, name) => write(out, name + " {…}")],
  [WeakRef.prototype, (out, value, name) => write(out, name + " {…}")],
  [String.prototype, (out, value) => write(out, "[String: " + stringify(stringValue(value)) + "]")],
  [Number.prototype, (out, value) => write(out, "[Number: " + numberText(numberValue(value)) + "]")],
  [Boolean.prototype, (out, value) => write(out, "[Boolean: " + booleanValue(value) + "]")],
  [BigInt.prototype, (out, value) => write(out, "[BigInt: " + bigintValue(value) + "n]")],
  [Symbol.prototype, (out, value) => write(out, "[Symbol: " + symbolText(symbolValue(value)) + "]")],
]);

function writeArray(out, value, prefix, depth) {
  writeElements(out, prefix, value.length, depth, (index) => {
    const property = getOwnPropertyDescriptor(value, "" + index);
    if (property) writeProperty(out, property, depth);
    else write(out, "empty");
  });
}

function writeElements(out, prefix, length, depth, writeElement) {
  if (depth >= DEPTH_LIMIT) return write(out, "[Array]");
  write(out, prefix + "[");
  for (let index = 0; index < length && !out.full; index++) {
    if (index > 0) write(out, ",");
    if (index === ELEMENT_LIMIT) {
      write(out, "… " + (length - index) + " more");
      break;
    }
    writeElement(index);
  }
  write(out, "]");
}

function writeCollection(out, prefix, depth, forEach) {
  if (depth >= DEPTH_LIMIT) return write(out, "[Object]");
  write(out, prefix);
  let count = 0;
  forEach(function (key, item) {
    if (count++ < ELEMENT_LIMIT && !out.full) {
      if (count > 1) write(out, ",");
      writeValue(out, key, depth + 1);
      if (arguments.length > 1) {
        write(out, " => ");
        writeValue(out, item, depth + 1);
      }
    }
  });
  if (count > ELEMENT_LIMIT) write(out, ",… " + (count - ELEMENT_LIMIT) + " more");
  write(out, "}");
}

function writeProperties(out, value, prefix, depth) {
  if (depth >= DEPTH_LIMIT) return write(out, "[Object]");
  write(out, prefix + "{");
  const keys = ownKeys(value);
  let count = 0;
  for (let index = 0; index < keys.length && !out.full; index++) {
    const key = keys[index];
    const property = getOwnPropertyDescriptor(value, key);
    if (!property || !property.enumerable) continue;
    if (count > 0) write(out, ",");
    if (count++ === ELEMENT_LIMIT) {
      write(out, "… " + (keys.length - index) + " more");
      break;
    }
    write(out, typeof key === "symbol" ? "[" + symbolText(key) + "]:" : stringify(key) + ":");
    writeProperty(out, property, depth);
  }
  write(out, "}");
}

function writeProperty(out, property, depth) {
  if (hasOwn(property, "value")) writeValue(out, property.value, depth + 1);
  else if (property.get) write(out, property.set ? "[Getter/Setter]" : "[Getter]");
  else write(out, "[Setter]");
}

function isErrorLike(value) {
  try {
    return isObject(value) && classify(value).render === writeError;
  } catch {
    return false;
  }
}

/** `Name: message`. Unlike everything else, this reads through getters: classes often define `name` as one. */
function errorTitle(error) {
  const name = readText(error, "name");
  const message = readText(error, "message");
  return name && message ? name + ": " + message : name || message || "Error";
}

function readText(object, key) {
  try {
    const value = object[key];
    return typeof value === "string" ? value : "";
  } catch {
    return "";
  }
}

/** At the top level with the stack, deeper as `[Name: message]`; either way with its own properties and its cause. */
function writeError(out, value, name, depth) {
  const title = errorTitle(value);
  if (depth === 0) write(out, title + errorFrames(value, title));
  else write(out, "[" + title + "]");
  if (depth >= DEPTH_LIMIT) return;
  let opened = false;
  const keys = ownKeys(value);
  for (let index = 0; index < keys.length && index < ELEMENT_LIMIT; index++) {
    const key = keys[index];
    const property = getOwnPropertyDescriptor(value, key);
    const isShown = property && (property.enumerable || key === "cause" || key === "errors" || key === "code");
    if (!isShown || key === "stack" || key === "message" || key === "name") continue;
    write(out, opened ? "," : " {");
    opened = true;
    write(out, typeof key === "symbol" ? "[" + symbolText(key) + "]:" : stringify(key) + ":");
    writeProperty(out, property, depth);
  }
  if (opened) write(out, "}");
}

/** The frames of the stack, each on a line of its own; frames of this prelude say nothing to the author. */
function errorFrames(error, title) {
  const stack = readText(error, "stack");
  let text = "";
  let from = stringSlice(stack, 0, title.length) === title ? title.length : 0;
  while (from < stack.length) {
    let end = stringIndexOf(stack, "\n", from);
    if (end < 0) end = stack.length;
    const line = stringSlice(stack, from, end);
    if (stringTrim(line) !== "" && stringIndexOf(line, "isobox:prelude") < 0 && stringIndexOf(line, "(native)") < 0) {
      text += "\n" + line;
    }
    from = end + 1;
  }
  return text;
}
