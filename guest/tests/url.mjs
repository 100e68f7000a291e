import { check, compare, outcome } from "./check.mjs";
import { BASES, QUERY_TEXTS, SETTER_URLS, SETTERS, TEXTS, randomURLs } from "./url_inputs.mjs";

const FIELDS = [
  "href", "origin", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash",
];
const fields = (url) => Object.fromEntries(FIELDS.map((field) => [field, url[field]]));

export function testURL({ context, run }, known) {
  const ours = context.URL;
  const nameOf = (text,
    base) => `URL ${JSON.stringify(text)}${base === undefined ? "" : ` on ${JSON.stringify(base)}`}`;
  const both = (text, base) => compare(nameOf(text, base), () => fields(new ours(text, base)),
    () => fields(new URL(text, base)), known);

  for (const text of TEXTS) {
    both(text);
    if (/^http:\/\/[^/]/.test(text)) continue; // about its host: the base does not matter
    for (const base of BASES) both(text, base);
  }
  for (const [text, base] of randomURLs(6000, 20240601)) both(text, base);
  for (const text of ["foo:a b ?q", "foo:a  #f", "http://a/^", "http://a^@b"]) both(text);

  for (const start of SETTER_URLS) {
    for (const [field, values] of Object.entries(SETTERS)) {
      for (const value of values) {
        const change = (constructor) => () => {
          const url = new constructor(start);
          const params = url.searchParams;
          url[field] = value;
          return { ...fields(url), params: [...params].join() };
        };
        compare(`${start} ${field} = ${JSON.stringify(value)}`, change(ours), change(URL), known);
      }
    }
  }

  check("canParse", [ours.canParse("x"), ours.canParse("x", "http://a"), ours.canParse("http://a", "x")], [false, true,
    false]);
  check("parse", [ours.parse("x"), ours.parse("x", "http://a").href], [null, "http://a/x"]);
  check("toJSON", JSON.stringify({ a: new ours("http://a") }), '{"a":"http://a/"}');
  check("the error says what it was given", outcome(() => new ours("a b")).thrown, "TypeError");
  check("URL needs new", outcome(() => ours("http://a")).thrown, "TypeError");
  check("tag", run("Object.prototype.toString.call(new URL('a:b'))"), "[object URL]");
}

export function testSearchParams({ context, run }, known) {
  const ours = context.URLSearchParams;
  const inspect = (params) => ({
    text: String(params), size: params.size, entries: [...params].map((pair) => [...pair]), keys: [...params.keys()],
    values: [...params.values()],
  });
  const both = (name, use) => compare(`URLSearchParams ${name}`, () => use(ours, context.URL),
    () => use(URLSearchParams, URL), known);

  for (const text of QUERY_TEXTS) {
    both(JSON.stringify(text), (Params) => inspect(new Params(text)));
    both(`${JSON.stringify(text)} sorted`, (Params) => {
      const params = new Params(text);
      params.sort();
      return inspect(params);
    });
    both(`${JSON.stringify(text)} in a URL`, (_, Url) => {
      const url = new Url("http://h/?z=1#f");
      const params = url.searchParams;
      url.search = text;
      const before = inspect(params);
      params.append("x y", "é&=+");
      return { before, after: inspect(params), href: url.href, same: url.searchParams === params };
    });
  }
  const inits = {
    nothing: undefined, null: null, number: 5, record: { a: 1, b: "é" }, pairs: [["a", 1], ["a", 2]],
      map: new Map([["k", "v"]]),
    params: new URLSearchParams("a=1&b=2"), "strings as pairs": ["ab"], "short pair": [["a"]], "long pair": [["a", "b",
      "c"]],
    "number pair": [1], empty: [], "lone surrogates": { "\ud800": "\udc00" },
  };
  for (const [name, init] of Object.entries(inits)) {
    // Two characters are an iterable of two, but a string is no sequence.
    both(`from ${name}`, (Params) => inspect(new Params(init)));
  }
  const steps = {
    "delete": (params) => params.delete("a"), "delete with a value": (params) => params.delete("a", "2"),
    "delete with undefined": (params) => params.delete("a", undefined), "set": (params) => params.set("a", "9"),
    "set a new one": (params) => params.set("n", "é"), "get": (params) => params.get("a"),
    "get nothing": (params) => params.get("x"),
    "getAll": (params) => [...params.getAll("a")].join(), "has": (params) => [params.has("a"), params.has("x")].join(),
    "has with a value": (params) => [params.has("a", "1"), params.has("a", "7"), params.has("a", undefined)].join(),
    "get without a name": (params) => params.get(), "append without a value": (params) => params.append("a"),
    "forEach": (params) => {
      const seen = [];
      params.forEach((value, name) => seen.push(name, value));
      return seen.join();
    },
    "delete while iterating": (params) => {
      const seen = [];
      for (const [name] of params) {
        seen.push(name);
        params.delete(name);
      }
      return seen.join();
    },
  };
  for (const [name, step] of Object.entries(steps)) {
    both(name, (Params) => {
      const params = new Params("a=1&b=2&a=3&c=&a=2");
      return [step(params), inspect(params)];
    });
    both(`${name} in a URL`, (_, Url) => {
      const url = new Url("http://h/?a=1&b=2&a=3&c=&a=2#f");
      return [step(url.searchParams), url.href];
    });
  }
  check("removing all parameters removes the question mark",
    run("const u = new URL('http://h/?a=1'); u.searchParams.delete('a'); u.href"), "http://h/");
}
