type Config = { server?: { port?: number; tls?: { cert: string } | null }; handlers?: Record<string, (() => string) | undefined> };
const config: Config = { server: { port: 0, tls: null }, handlers: { ok: () => "called" } };
const { items } = await tools.crm.customers.list({ limit: 12 });
let cached: string | null = null;
cached ??= "computed";
let count = 0;
count ||= 10;
let enabled: boolean | string = true;
enabled &&= "yes";
return {
  port: config.server?.port ?? 8080,
  portOr: config.server?.port || 8080,
  cert: config.server?.tls?.cert ?? "none",
  call: config.handlers?.ok?.(),
  missing: config.handlers?.nope?.() ?? "no handler",
  tags: items.map((c) => c.tags?.[0] ?? "-").join(""),
  lengths: items.at(10)?.tags?.length,
  del: delete config.server?.tls,
  cached, count, enabled,
};
