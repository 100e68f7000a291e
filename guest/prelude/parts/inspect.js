// util.inspect and util.format: values as text, laid out as Node does it. Unlike console.log, this may throw where a value
// does.

const INSPECT_DEFAULTS = {
  showHidden: false, depth: 2, colors: false, customInspect: true, showProxy: false, maxArrayLength: 100,
  maxStringLength: 10000, breakLength: 80, compact: 3, sorted: false, getters: false, numericSeparator: false,
};
const IDENTIFIER = /^[a-zA-Z_][a-zA-Z_0-9]*$/;
// How the elements of a list differ from the properties of an object.
const AS_PROPERTY = 0;
const AS_ELEMENT = 1;

function inspect(value, options = undefined) {
  const settings = { ...INSPECT_DEFAULTS };
  if (typeof options === "boolean") {
    settings.showHidden = options;
    if (arguments[2] !== undefined) settings.depth = arguments[2];
  } else if (isObject(options)) {
    for (const key of Object.keys(INSPECT_DEFAULTS)) if (options[key] !== undefined) settings[key] = options[key];
  }
  for (const key of ["maxArrayLength", "maxStringLength", "depth"]) if (settings[key] === null) settings[key] = Infinity;
  const state = { settings, options, seen: [], circular: new Map(), indentation: 0, depthReached: 0 };
  return inspectValue(state, value, 0);
}
inspect.custom = INSPECT;
inspect.defaultOptions = INSPECT_DEFAULTS;

function inspectValue(state, value, depth) {
  if (!isObject(value)) return inspectPrimitive(state, value);
  if (state.settings.customInspect) {
    const custom = value[INSPECT];
    const depthLeft = state.settings.depth - depth;
    const options = () => ({ ...state.settings, ...state.options });
    const shown = typeof custom === "function" && custom !== inspect ? apply(custom, value, [depthLeft, options(), inspect])
      : typeof value[Symbol.toStringTag] === "string" ? inspectWeb(value, depthLeft, options()) : value;
    if (shown !== value) {
      if (typeof shown !== "string") return inspectValue(state, shown, depth);
      return shown.replaceAll("\n", `\n${" ".repeat(state.indentation)}`);
    }
  }
  if (state.seen.includes(value)) {
    if (!state.circular.has(value)) state.circular.set(value, state.circular.size + 1);
    return `[Circular *${state.circular.get(value)}]`;
  }
  return inspectObject(state, value, depth);
}

function inspectPrimitive(state, value) {
  switch (typeof value) {
    case "string": return inspectString(state, value);
    case "number": return numberText(value);
    case "bigint": return `${value}n`;
    case "symbol": return symbolText(value);
    default: return `${value}`;
  }
}

function inspectString(state, value) {
  const { maxStringLength, breakLength, compact } = state.settings;
  let more = "";
  if (value.length > maxStringLength) {
    const left = value.length - maxStringLength;
    value = value.slice(0, maxStringLength);
    more = `... ${left} more character${left > 1 ? "s" : ""}`;
  }
  if (compact !== true && value.length > 16 && value.length > breakLength - state.indentation - 4) {
    return value.split(/(?<=\n)/).map(quote).join(` +\n${" ".repeat(state.indentation + 2)}`) + more;
  }
  return quote(value) + more;
}

/** Quoted with ', or with the quotes that the text does not contain. */
function quote(text) {
  const mark = !text.includes("'") ? "'" : !text.includes('"') ? '"' : /`|\$\{/.test(text) ? "'" : "`";
  let quoted = "";
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const pair = code >= 0xd800 && code < 0xdc00 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
    if (pair) quoted += text.slice(at, ++at + 1);
    else if (text[at] === mark || text[at] === "\\") quoted += `\\${text[at]}`;
    else if (code < 0x20 || (code >= 0x7f && code < 0xa0)) quoted += escapeControl(code);
    else if ((code & 0xf800) === 0xd800) quoted += `\\u${code.toString(16)}`;
    else quoted += text[at];
  }
  return mark + quoted + mark;
}

function escapeControl(code) {
  const short = ["\\b", "\\t", "\\n", undefined, "\\f", "\\r"][code - 8];
  if (code === 11) return "\\x0B";
  return short ?? `\\x${code.toString(16).toUpperCase().padStart(2, "0")}`;
}

function inspectObject(state, value, depth) {
  const { settings } = state;
  const look = lookAt(state, value);
  if (look.whole !== undefined) return look.whole;
  if (depth > settings.depth) {
    return `[${namePrefix(look.constructor, look.tag, isArray(value) ? "Array" : "Object").slice(0, -1)}]`;
  }
  state.seen.push(value);
  state.depthReached = depth + 1;
  const parts = look.parts(state, depth + 1);
  for (const key of look.keys) parts.push(inspectProperty(state, value, key, depth + 1, AS_PROPERTY));
  state.seen.pop();
  let { base } = look;
  if (state.circular.has(value)) {
    const reference = `<ref *${state.circular.get(value)}>`;
    if (settings.compact === true) look.braces[0] = `${reference} ${look.braces[0]}`;
    else base = base === "" ? reference : `${reference} ${base}`;
  }
  if (settings.sorted) {
    const order = typeof settings.sorted === "function" ? settings.sorted : undefined;
    const sorted = look.isList ? parts.splice(parts.length - look.keys.length).sort(order) : parts.splice(0).sort(order);
    parts.push(...sorted);
  }
  return layOut(state, parts, base, look, depth + 1, value);
}

function inspectProperty(state, object, key, depth, kind) {
  const property = getOwnPropertyDescriptor(object, key) ?? { value: object[key], enumerable: true };
  let text;
  if (property.get === undefined && property.set === undefined) {
    state.indentation += 2;
    text = inspectValue(state, property.value, depth);
    state.indentation -= 2;
  } else if (property.get === undefined) {
    text = "[Setter]";
  } else {
    const label = property.set === undefined ? "Getter" : "Getter/Setter";
    text = state.settings.getters ? shownGetter(state, object, property.get, label, depth) : `[${label}]`;
  }
  if (kind === AS_ELEMENT) return text;
  return `${keyText(key, property.enumerable)}: ${text}`;
}

function shownGetter(state, object, read, label, depth) {
  try {
    const value = apply(read, object, []);
    state.indentation += 2;
    const text = inspectValue(state, value, depth);
    state.indentation -= 2;
    return isObject(value) ? `[${label}] ${text}` : `[${label}: ${text}]`;
  } catch (error) {
    return `[${label}: <Inspection threw (${error?.message})>]`;
  }
}

function keyText(key, isEnumerable) {
  if (typeof key === "symbol") return isEnumerable ? symbolText(key) : `[${symbolText(key)}]`;
  if (key === "__proto__") return "['__proto__']";
  if (!isEnumerable) return `[${key}]`;
  return IDENTIFIER.test(key) ? key : quote(key);
}

/** Joins the parts of an object on one line where they are few and short, or one below the other. */
function layOut(state, parts, base, { braces, isList }, depth, value) {
  const { compact, breakLength } = state.settings;
  const [open, close] = braces;
  const prefix = base === "" ? "" : `${base} `;
  const fits = (start) => {
    let length = parts.length + start;
    if (length + parts.length > breakLength) return false;
    for (const part of parts) length += part.length;
    return length <= breakLength && !base.includes("\n");
  };
  const indentation = `\n${" ".repeat(state.indentation)}`;
  if (compact === true) {
    if (fits(0)) return `${open}${base === "" ? "" : ` ${base}`} ${parts.join(", ")} ${close}`;
    const gap = base === "" && open.length === 1 ? " " : `${base === "" ? "" : ` ${base}`}\n${indentation.slice(1)}  `;
    return `${open}${gap}${parts.join(`,${indentation}  `)} ${close}`;
  }
  if (compact >= 1) {
    const count = parts.length;
    if (isList && count > 6) parts = inColumns(state, parts, value);
    if (state.depthReached - depth < compact && count === parts.length) {
      const joined = parts.join(", ");
      if (fits(parts.length + state.indentation + open.length + base.length + 10) && !joined.includes("\n")) {
        return `${prefix}${open} ${joined} ${close}`;
      }
    }
  }
  return `${prefix}${open}${indentation}  ${parts.join(`,${indentation}  `)}${indentation}${close}`;
}

/** The elements of a long list as lines of aligned columns, numbers to the right. */
function inColumns(state, parts, value) {
  const { breakLength, compact, maxArrayLength } = state.settings;
  const hasMore = maxArrayLength < parts.length;
  const count = parts.length - (hasMore ? 1 : 0);
  const lengths = parts.slice(0, count).map((part) => part.length);
  const longest = Math.max(...lengths) + 2;
  const total = lengths.reduce((sum, length) => sum + length + 2, 0);
  if (longest * 3 + state.indentation >= breakLength || (total / longest <= 5 && longest > 8)) return parts;
  const width = Math.max(longest - 3 - Math.sqrt(longest - total / parts.length), 1);
  const columns = Math.min(Math.round(Math.sqrt(2.5 * width * count) / width),
    Math.floor((breakLength - state.indentation) / longest), compact * 4, 15);
  if (columns <= 1) return parts;
  const widths = [];
  for (let column = 0; column < columns; column++) {
    let widest = 0;
    for (let at = column; at < count; at += columns) widest = Math.max(widest, lengths[at]);
    widths.push(widest);
  }
  let isNumeric = value !== undefined;
  for (let at = 0; isNumeric && at < parts.length; at++) {
    isNumeric = typeof value[at] === "number" || typeof value[at] === "bigint";
  }
  const lines = [];
  for (let from = 0; from < count; from += columns) {
    const to = Math.min(from + columns, count);
    let line = "";
    for (let at = from; at < to; at++) {
      const isLast = at === to - 1;
      const cell = isLast ? parts[at] : `${parts[at]}, `;
      const size = widths[at - from] + (isLast ? 0 : 2);
      line += isNumeric ? cell.padStart(size) : isLast ? cell : cell.padEnd(size);
    }
    lines.push(line);
  }
  if (hasMore) lines.push(parts[count]);
  return lines;
}

/** util.format: fills in the directives of the first argument and appends the others. */
function format(...values) { return formatWith({}, values); }

function formatWithOptions(options, ...values) { return formatWith(options, values); }

function formatWith(options, values) {
  const [template] = values;
  let text = "";
  let next = 0;
  if (typeof template === "string") {
    next = 1;
    if (values.length === 1) return template;
    text = template.replace(/%([sdifjoOc%])/g, (directive, letter) => {
      if (letter === "%") return "%";
      return next < values.length ? directiveText(letter, values[next++], options) : directive;
    });
  }
  for (; next < values.length; next++) {
    const value = values[next];
    if (next > 0) text += " ";
    text += typeof value === "string" ? value : inspect(value, { ...options, compact: 3 });
  }
  return text;
}

function directiveText(letter, value, options) {
  const toNumber = (convert) => typeof value === "symbol" ? "NaN" : numberText(convert(value));
  switch (letter) {
    case "s":
      if (typeof value === "bigint" || typeof value === "number") return inspect(value);
      if (!isObject(value) || hasOwnText(value)) return String(value);
      return inspect(value, { ...options, depth: 0, colors: false, compact: 3 });
    case "d": return typeof value === "bigint" ? `${value}n` : toNumber(Number);
    case "i": return typeof value === "bigint" ? `${value}n` : toNumber(parseInt);
    case "f": return toNumber(parseFloat);
    case "j": return jsonOrCircular(value);
    case "o": return inspect(value, { ...options, showHidden: true, showProxy: true, depth: 4 });
    case "O": return inspect(value, options);
    default: return "";
  }
}

function jsonOrCircular(value) {
  try {
    return String(stringify(value));
  } catch (error) {
    if (error instanceof TypeError && /circular/i.test(error.message)) return "[Circular]";
    throw error;
  }
}

/** Whether an object says itself what its text is: not a plain one, not a list, and an error only where it overrides. */
function hasOwnText(value) {
  if (typeof value === "function") return false;
  if (passes(dateValue, value)) return false;
  if (isErrorLike(value)) return true;
  let owner = value;
  while (owner !== null && !hasOwn(owner, "toString") && !hasOwn(owner, Symbol.toPrimitive)) owner = getPrototypeOf(owner);
  return owner !== null && !setHas(INTRINSIC_PROTOTYPES, owner);
}
