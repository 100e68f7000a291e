class Request {
  get = "GET"
  set = "SET"
  static
  async = true
  declare headers: Record<string, string>;
  method(): string { return this.get; }
  "quoted name" = 1;
  [`computed${1 + 1}`] = 2;
  readonly of = [1];
}
const r: any = new Request();
return { get: r.get, set: r.set, async: r.async, hasStatic: "static" in r || "async" in Request, method: r.method(), own: Object.keys(r), of: r.of };
