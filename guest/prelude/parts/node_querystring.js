// node:querystring.

function escapeQuery(text) {
  return encodeURIComponent(stringToWellFormed(`${text}`)).replace(/[!'()*]/g, (mark) => mark);
}

function unescapeQuery(text) {
  const bytes = [];
  for (let at = 0; at < text.length; at++) {
    const hex = text.slice(at + 1, at + 3);
    if (text[at] === "%" && /^[0-9a-f]{2}$/i.test(hex)) {
      bytes.push(parseInt(hex, 16));
      at += 2;
    } else {
      const character = fromCodePoint(stringCodePointAt(text, at));
      bytes.push(...new Uint8Array(encodeUtf8(stringToWellFormed(character))));
      at += character.length - 1;
    }
  }
  return decodeLossy(Uint8Array.from(bytes));
}

function queryPrimitive(value) {
  switch (typeof value) {
    case "string": return value;
    case "number": return Number.isFinite(value) ? `${value}` : "";
    case "bigint":
    case "boolean": return `${value}`;
    default: return "";
  }
}

const querystring = {
  escape: escapeQuery,
  unescape: unescapeQuery,

  stringify(object, separator = "&", equals = "=", options = undefined) {
    if (!isObject(object)) return "";
    const encode = options?.encodeURIComponent ?? querystring.escape;
    const pair = (key, value) => `${encode(key)}${equals || "="}${encode(queryPrimitive(value))}`;
    return Object.keys(object).flatMap((key) => {
      const value = object[key];
      return isArray(value) ? value.map((item) => pair(key, item)) : [pair(key, value)];
    }).join(separator || "&");
  },

  parse(text, separator = "&", equals = "=", options = undefined) {
    const result = { __proto__: null };
    if (typeof text !== "string" || text === "") return result;
    const decode = options?.decodeURIComponent ?? querystring.unescape;
    const most = options?.maxKeys ?? 1000;
    let parts = text.split(separator || "&").filter((part) => part !== "");
    if (most > 0) parts = parts.slice(0, most);
    for (const part of parts) {
      const at = part.indexOf(equals || "=");
      const [key, value] = (at < 0 ? [part, ""] : [part.slice(0, at), part.slice(at + (equals || "=").length)])
        .map((piece) => decode(piece.replaceAll("+", " ")));
      if (!(key in result)) result[key] = value;
      else if (isArray(result[key])) result[key].push(value);
      else result[key] = [result[key], value];
    }
    return result;
  },
};
querystring.decode = querystring.parse;
querystring.encode = querystring.stringify;
