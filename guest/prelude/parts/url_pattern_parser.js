// Pattern strings of the URL Pattern Standard: text -> tokens -> parts -> a regular expression and the pattern's own text.

const FULL_WILDCARD = ".*";
const NAME_START = /[$_\p{ID_Start}]/u;
const NAME_PART = /[$_\u200c\u200d\p{ID_Continue}]/u;

/** The tokens of a pattern. A lenient reading turns what is malformed into `invalid` tokens. */
function tokenizePattern(input, isLenient) {
  const tokens = [];
  const characters = [...input];
  let at = 0;
  const add = (type, from, to, value) => {
    tokens.push({ type, index: from, value: value ?? characters.slice(from, to).join(""), end: to });
    at = to;
  };
  const invalid = (from, to, reason) => {
    if (!isLenient) throw new TypeError(`the URL pattern ${quote(input)} is malformed: ${reason}`);
    add("invalid", from, to);
  };
  while (at < characters.length) {
    const character = characters[at];
    if (character === "*") add("asterisk", at, at + 1);
    else if (character === "+" || character === "?") add("modifier", at, at + 1);
    else if (character === "{") add("open", at, at + 1);
    else if (character === "}") add("close", at, at + 1);
    else if (character === "\\") {
      if (at === characters.length - 1) invalid(at, at + 1, "it ends with a backslash");
      else add("escaped", at, at + 2, characters[at + 1]);
    } else if (character === ":") {
      let end = at + 1;
      while (end < characters.length && (end === at + 1 ? NAME_START : NAME_PART).test(characters[end])) end++;
      if (end === at + 1) invalid(at, end, "a colon is not followed by a name");
      else add("name", at, end, characters.slice(at + 1, end).join(""));
    } else if (character === "(") {
      const { end, reason } = endOfGroup(characters, at);
      if (reason) invalid(at, end, reason);
      else add("regexp", at, end, characters.slice(at + 1, end - 1).join(""));
    } else {
      add("char", at, at + 1);
    }
  }
  add("end", at, at, "");
  return tokens;
}

/** Where the group that opens here ends, or why it is malformed. */
function endOfGroup(characters, from) {
  let depth = 1;
  let at = from + 1;
  while (at < characters.length) {
    const character = characters[at];
    if (character > "\x7f") return { end: from + 1, reason: "a group has a character that is not ASCII" };
    if (at === from + 1 && character === "?") return { end: from + 1, reason: "a group starts with a question mark" };
    if (character === "\\") {
      if (at === characters.length - 1 || characters[at + 1] > "\x7f") {
        return { end: from + 1, reason: "a group has a stray backslash" };
      }
      at += 2;
      continue;
    }
    if (character === ")" && --depth === 0) {
      return at === from + 1 ? { end: from + 1, reason: "a group is empty" } : { end: at + 1 };
    }
    if (character === "(") {
      depth++;
      if (characters[at + 1] !== "?") return { end: from + 1, reason: "a group contains a group that captures" };
    }
    at++;
  }
  return { end: from + 1, reason: "a group is not closed" };
}

/** The parts of a pattern: { type: "fixed" | "segment" | "full" | "regexp", value, modifier, name, prefix, suffix }. */
function parsePattern(input, { delimiter, prefix: prefixes }, encode) {
  const tokens = tokenizePattern(input, false);
  const segment = delimiter === "" ? ".+?" : `[^${escapeForRegExp(delimiter)}]+?`;
  const parts = [];
  let at = 0;
  let pending = "";
  let nextName = 0;
  const take = (type) => tokens[at].type === type ? tokens[at++] : null;
  const takeModifier = () => (take("modifier") ?? take("asterisk"))?.value ?? "";
  const addFixed = () => {
    if (pending !== "") parts.push(fixedPart(encode(pending), ""));
    pending = "";
  };
  const addPart = (prefix, name, regexp, suffix, modifier) => {
    if (!name && !regexp) {
      if (modifier === "") return void (pending += prefix);
      addFixed();
      if (prefix !== "") parts.push(fixedPart(encode(prefix), modifier));
      return;
    }
    addFixed();
    let value = !regexp ? segment : regexp.type === "asterisk" ? FULL_WILDCARD : regexp.value;
    let type = "regexp";
    if (value === segment) [type, value] = ["segment", ""];
    else if (value === FULL_WILDCARD) [type, value] = ["full", ""];
    const key = name ? name.value : `${nextName++}`;
    if (parts.some((part) => part.name === key)) {
      throw new TypeError(`the URL pattern ${quote(input)} has the name ${quote(key)} twice`);
    }
    parts.push({ type, value, modifier, name: key, prefix: encode(prefix), suffix: encode(suffix) });
  };
  const takeText = () => {
    let text = "";
    for (let token = take("char") ?? take("escaped"); token; token = take("char") ?? take("escaped")) text += token.value;
    return text;
  };
  while (at < tokens.length) {
    const character = take("char");
    const name = take("name");
    const regexp = take("regexp") ?? (name ? null : take("asterisk"));
    if (name || regexp) {
      let prefix = character?.value ?? "";
      if (prefix !== "" && prefix !== prefixes) [pending, prefix] = [pending + prefix, ""];
      addFixed();
      addPart(prefix, name, regexp, "", takeModifier());
      continue;
    }
    const fixed = character ?? take("escaped");
    if (fixed) {
      pending += fixed.value;
      continue;
    }
    if (take("open")) {
      const prefix = takeText();
      const inner = take("name");
      const group = take("regexp") ?? (inner ? null : take("asterisk"));
      const suffix = takeText();
      if (!take("close")) throw new TypeError(`the URL pattern ${quote(input)} is malformed: a brace is not closed`);
      addPart(prefix, inner, group, suffix, takeModifier());
      continue;
    }
    addFixed();
    if (!take("end")) throw new TypeError(`the URL pattern ${quote(input)} is malformed at ${quote(tokens[at].value)}`);
  }
  return parts;
}

function fixedPart(value, modifier) {
  return { type: "fixed", value, modifier, name: "", prefix: "", suffix: "" };
}

function escapeForRegExp(text) { return text.replace(/[.+*?^${}()[\]|/\\]/g, "\\$&"); }
function escapeForPattern(text) { return text.replace(/[+*?:{}()\\]/g, "\\$&"); }

/** The regular expression of a list of parts, and the names of its groups. */
function patternRegExp(parts, { delimiter }, ignoreCase) {
  const segment = delimiter === "" ? ".+?" : `[^${escapeForRegExp(delimiter)}]+?`;
  const names = [];
  let source = "^";
  for (const { type, value, modifier, name, prefix, suffix } of parts) {
    if (type === "fixed") {
      source += modifier === "" ? escapeForRegExp(value) : `(?:${escapeForRegExp(value)})${modifier}`;
      continue;
    }
    names.push(name);
    const group = type === "segment" ? segment : type === "full" ? FULL_WILDCARD : value;
    const [before, after] = [escapeForRegExp(prefix), escapeForRegExp(suffix)];
    if (before === "" && after === "") {
      source += modifier === "" || modifier === "?" ? `(${group})${modifier}` : `((?:${group})${modifier})`;
    } else if (modifier === "" || modifier === "?") {
      source += `(?:${before}(${group})${after})${modifier}`;
    } else {
      source += `(?:${before}((?:${group})(?:${after}${before}(?:${group}))*)${after})${modifier === "*" ? "?" : ""}`;
    }
  }
  return { regexp: new RegExp(`${source}$`, ignoreCase ? "ui" : "u"), names };
}

/** The pattern that means the same as a list of parts, written as shortly as the Standard does. */
function patternText(parts, { delimiter, prefix: prefixes }) {
  const segment = delimiter === "" ? ".+?" : `[^${escapeForRegExp(delimiter)}]+?`;
  let text = "";
  for (const [index, part] of parts.entries()) {
    const { type, value, modifier, name, prefix, suffix } = part;
    if (type === "fixed") {
      text += modifier === "" ? escapeForPattern(value) : `{${escapeForPattern(value)}}${modifier}`;
      continue;
    }
    const previous = parts[index - 1];
    const next = parts[index + 1];
    const isNamed = !/^\d/.test(name);
    let needsBraces = suffix !== "" || (prefix !== "" && prefix !== prefixes);
    const isBare = isNamed && type === "segment" && modifier === "";
    if (!needsBraces && isBare && next && next.prefix === "" && next.suffix === "") {
      needsBraces = next.type === "fixed" ? NAME_PART.test([...next.value][0] ?? "") : /^\d/.test(next.name);
    }
    if (prefix === "" && previous?.type === "fixed" && prefixes !== "" && previous.value.endsWith(prefixes)) needsBraces = true;
    if (needsBraces) text += "{";
    text += escapeForPattern(prefix);
    if (isNamed) text += `:${name}`;
    if (type === "regexp") text += `(${value})`;
    else if (type === "segment" && !isNamed) text += `(${segment})`;
    else if (type === "full") {
      const isApart = !previous || previous.type === "fixed" || previous.modifier !== "" || needsBraces || prefix !== "";
      const isShort = !isNamed && isApart;
      text += isShort ? "*" : `(${FULL_WILDCARD})`;
    }
    if (type === "segment" && isNamed && suffix !== "" && NAME_PART.test([...suffix][0])) text += "\\";
    text += escapeForPattern(suffix);
    if (needsBraces) text += "}";
    text += modifier;
  }
  return text;
}
