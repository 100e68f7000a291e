// What the host is told about an error that ended the program, beside its name, message and stack: its cause, the errors of
// an AggregateError, and its own properties. No code of the program runs for that: getters and proxies are left out.

const FAILURE_LIMIT = 12_000; // of all JSON together, in characters
const FAILURE_STEPS = 2000; // properties and elements that are looked at
const FAILURE_DEPTH = 4; // of causes, and of values in properties
const FAILURE_ERRORS = 10;
const FAILURE_TEXT = 1000; // a longer text among the properties is replaced: a part of one could hide what it is from redaction
const FAILURE_MESSAGE = 4000;

const exceptionName = getter(DOMException.prototype, "name");
const exceptionMessage = getter(DOMException.prototype, "message");

/** `{"cause":{…},"errors":[…],"properties":{…}}` with the parts that there are; an empty text without any. */
function failureParts(error) {
  const out = { room: FAILURE_LIMIT, steps: FAILURE_STEPS, above: null };
  try {
    if (!isObject(error) || !isReadable(error)) return "";
    const members = errorMembers(error, out, 0);
    return members === "" ? "" : "{" + members + "}";
  } catch {
    return ""; // without memory or stack for them, the error has no such parts
  }
}

/** Whether reading the object's own properties runs no code, and tells something. */
function isReadable(object) {
  if (isProxy(object)) return false;
  const name = classOf(object);
  return name === "Error" || name === "DOMException" || name === "Object";
}

function isFailure(object) {
  const name = classOf(object);
  return name === "Error" || name === "DOMException";
}

/** The JSON if there is room for it. */
function fitting(out, json) {
  if (json.length > out.room) return undefined;
  out.room -= json.length;
  return json;
}

function withMember(members, key, json) {
  if (json === undefined) return members;
  return members + (members === "" ? "" : ",") + stringify(key) + ":" + json;
}

function errorMembers(error, out, depth) {
  const above = out.above;
  out.above = { value: error, next: above };
  // The causes of an error are told as well where it has many properties.
  const kept = out.room >> 1;
  out.room -= kept;
  const properties = propertiesJson(error, out, 0, depth);
  out.room += kept;
  let members = properties === "{}" ? "" : withMember("", "properties", properties);
  if (isFailure(error) && depth < FAILURE_DEPTH) {
    const cause = getOwnPropertyDescriptor(error, "cause");
    if (cause && hasOwn(cause, "value")) members = withMember(members, "cause", errorJson(cause.value, out, depth + 1, true));
    if (hasErrors(error)) members = withMember(members, "errors", errorsJson(ownValue(error, "errors"), out, depth + 1));
  }
  out.above = above;
  return members;
}

/** Whether `errors` are those of an AggregateError, and no property that a program has assigned. */
function hasErrors(error) {
  const property = getOwnPropertyDescriptor(error, "errors");
  const errors = ownValue(error, "errors");
  return property !== undefined && !property.enumerable && isObject(errors) && !isProxy(errors) && isArray(errors);
}

function errorsJson(errors, out, depth) {
  let items = "";
  for (let index = 0, count = 0; index < errors.length && count < FAILURE_ERRORS && --out.steps > 0; index++) {
    const json = errorJson(ownValue(errors, "" + index), out, depth, true);
    if (json === undefined) continue;
    items += (count++ > 0 ? "," : "") + json;
  }
  return items === "" ? undefined : "[" + items + "]";
}

/** An error, or another value that is a cause, as an object; undefined without room, and for one that contains itself. */
function errorJson(value, out, depth, withFrames) {
  if (value === undefined || isAbove(value, out)) return undefined;
  const isOpen = isObject(value) && isReadable(value);
  let members = "";
  if (isOpen) members = withMember(members, "name", textJson(nameOf(value), 100, out));
  members = withMember(members, "message", textJson(isOpen ? messageOf(value) : shownValue(value), FAILURE_MESSAGE, out));
  if (members === "") return undefined;
  if (isOpen && withFrames) members = withMember(members, "stack", framesJson(value, out));
  const parts = isOpen ? errorMembers(value, out, depth) : "";
  return "{" + members + (parts === "" ? "" : "," + parts) + "}";
}

function isAbove(value, out) {
  for (let above = out.above; above; above = above.next) {
    if (above.value === value) return true;
  }
  return false;
}

function textJson(text, limit, out) {
  if (text === undefined) return undefined;
  const cut = text.length > limit ? stringSlice(text, 0, limit) + "…" : text;
  return fitting(out, stringify(cut));
}

function nameOf(error) {
  return classOf(error) === "DOMException" ? exceptionName(error) : inheritedText(error, "name");
}

function messageOf(error) {
  if (classOf(error) === "DOMException") return exceptionMessage(error);
  return inheritedText(error, "message") ?? (isFailure(error) ? "" : "an object");
}

/** A text that an object has or inherits as a plain property. */
function inheritedText(object, key) {
  for (let step = 0; object !== null && step < PROTOTYPE_LIMIT && !isProxy(object); step++) {
    if (hasOwn(object, key)) {
      const text = ownValue(object, key);
      return typeof text === "string" ? text : undefined;
    }
    object = getPrototypeOf(object);
  }
}

function shownValue(value) {
  switch (typeof value) {
    case "string": return value;
    case "bigint": return "" + value + "n";
    case "symbol": return symbolText(value);
    case "function": return "a function";
    case "object": return value === null ? "null" : isProxy(value) ? "a Proxy" : "a value of the class " + classOf(value);
    default: return "" + value;
  }
}

/** Whole lines of the stack, as the engine keeps it. */
function framesJson(error, out) {
  const stack = classOf(error) === "DOMException" ? ownValue(error, "stack") : framesOf(error);
  if (typeof stack !== "string" || stack === "") return undefined;
  let end = stack.length < 2000 ? stack.length : 2000;
  while (end < stack.length && end > 0 && stack[end - 1] !== "\n") end--;
  return fitting(out, stringify(stringSlice(stack, 0, end)));
}

/** The own enumerable properties that have a JSON form, as an object; of errors, those that are no part of every error. */
function propertiesJson(object, out, depth, errorDepth) {
  const isError = isFailure(object);
  const keys = ownKeys(object);
  let members = "";
  for (let index = 0; index < keys.length && --out.steps > 0; index++) {
    const key = keys[index];
    if (typeof key !== "string" || key.length > 100) continue;
    if (isError && (key === "name" || key === "message" || key === "stack" || key === "cause")) continue;
    const property = getOwnPropertyDescriptor(object, key);
    // The `code` of an error of a tool is not enumerable.
    if (!property || !hasOwn(property, "value") || !(property.enumerable || (isError && key === "code"))) continue;
    const before = out.room;
    const name = fitting(out, stringify(key) + ":,");
    const json = name === undefined ? undefined : valueJson(property.value, out, depth + 1, errorDepth);
    if (json === undefined) out.room = before;
    else members = withMember(members, key, json);
  }
  return "{" + members + "}";
}

/** The JSON of a value; undefined where it has none, where it contains itself, and without room. */
function valueJson(value, out, depth, errorDepth) {
  switch (typeof value) {
    case "string":
      return fitting(out, stringify(value.length > FAILURE_TEXT ? "[a text of " + value.length + " characters]" : value));
    case "number": return value - value === 0 ? fitting(out, "" + value) : undefined;
    case "boolean": return fitting(out, "" + value);
    case "object": return value === null ? fitting(out, "null") : objectJson(value, out, depth, errorDepth);
    default: return undefined;
  }
}

function objectJson(value, out, depth, errorDepth) {
  if (isProxy(value) || isAbove(value, out)) return undefined;
  const name = classOf(value);
  if (name === "Date") {
    const time = dateValue(value);
    return time === time ? fitting(out, stringify(dateText(value))) : undefined;
  }
  if (name === "Error" || name === "DOMException") {
    return errorDepth < FAILURE_DEPTH ? errorJson(value, out, errorDepth + 1, false) : undefined;
  }
  if ((name !== "Object" && name !== "Array") || depth > FAILURE_DEPTH || fitting(out, "{}") === undefined) return undefined;
  const above = out.above;
  out.above = { value, next: above };
  const json = name === "Array" ? listJson(value, out, depth, errorDepth) : propertiesJson(value, out, depth, errorDepth);
  out.above = above;
  return json;
}

function listJson(list, out, depth, errorDepth) {
  let items = "";
  for (let index = 0; index < list.length && --out.steps > 0; index++) {
    if (fitting(out, ",") === undefined) break;
    const json = valueJson(ownValue(list, "" + index), out, depth + 1, errorDepth);
    items += (index > 0 ? "," : "") + (json === undefined ? "null" : json);
  }
  return "[" + items + "]";
}
