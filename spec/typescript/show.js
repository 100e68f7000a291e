const describe = (value) => {
  if (typeof value === "function") return "function";
  if (typeof value === "symbol") return String(value);
  // The text of a function is the author's here, and the compiler's there.
  if (typeof value === "string") return /=>|function|class/.test(value) ? "text of a function" : JSON.stringify(value);
  if (Object.is(value, -0)) return "-0";
  if (value === null || typeof value !== "object") return String(value);
  if (value instanceof RegExp) return String(value);
  if (Array.isArray(value)) return `[${value.map(describe).join()}]`;
  return `{${Reflect.ownKeys(value).map((key) => `${describe(key)}:${describe(value[key])}`).join()}}`;
};
const show = (value) => describe(value);
const kinds = (object) => Reflect.ownKeys(object).filter((key) => !["constructor", "prototype", "length", "name"].includes(key)).map((key) => {
  const { get, set, value } = Object.getOwnPropertyDescriptor(object, key);
  return `${String(key)}=${get ? "get" : ""}${set ? "set" : ""}${get || set ? "" : typeof value === "function" ? value.constructor.name : describe(value)}`;
});
const shape = (type) => [kinds(new type()), kinds(type.prototype), kinds(type)].map((list) => list.join()).join(" / ");
