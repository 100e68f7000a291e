// What util.inspect shows of objects whose content is behind getters.

const URL_FIELDS = ["href", "origin", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search",
  "searchParams", "hash"];

/** The text of such an object, or the object itself where it is another one, or too deep. */
function inspectWeb(value, depth, options) {
  const show = (fields) => depth < 0 ? value : `${constructorName(value)} ${inspect(fields, options)}`;
  const pick = (keys) => show(Object.fromEntries(keys.map((key) => [key, value[key]])));
  const tag = value[Symbol.toStringTag];
  if (tag === "URL" && value instanceof URL) return pick(URL_FIELDS);
  if (tag === "URLSearchParams" && value instanceof URLSearchParams) return inspectParams(value, depth, options);
  const { web } = parts;
  if (web === undefined) return value;
  if (tag === "File" && value instanceof web.File) return pick(["size", "type", "name", "lastModified"]);
  if (tag === "Blob" && value instanceof web.Blob) return pick(["size", "type"]);
  if (tag === "Headers" && value instanceof web.Headers) return show(Object.fromEntries(value));
  return value;
}

function inspectParams(params, depth, options) {
  if (depth < 0) return "[Object]";
  const show = (text) => inspect(text, { ...options, depth: depth - 1 });
  const list = [...params].map(([name, value]) => `${show(name)} => ${show(value)}`);
  const line = list.join(", ");
  const content = line.length > options.breakLength ? `\n  ${list.join(",\n  ")} ` : line === "" ? "" : ` ${line} `;
  return `${constructorName(params)} {${content}}`;
}
