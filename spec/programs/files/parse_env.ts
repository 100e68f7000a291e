const { content } = await tools.files.read({ path: "config/service.env" });
const env: Record<string, string> = {};
for (const match of content.matchAll(/^(?:export\s+)?([A-Z_][A-Z0-9_]*)=(?:"([^"]*)"|'([^']*)'|(.*))$/gm)) {
  const [, key, double, single, bare] = match;
  env[key] = double ?? single ?? bare;
}
const db = new URL(env.DB_URL);
return {
  env: { ...env, DB_URL: undefined },
  db: { user: db.username, password: db.password.replace(/./g, "*"), host: db.host, port: db.port, name: db.pathname.slice(1), ssl: db.searchParams.get("sslmode") },
  isProduction: env.NODE_ENV === "production",
};
