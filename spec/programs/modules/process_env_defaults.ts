const config = {
  apiUrl: process.env.API_URL ?? "https://api.example.com",
  retries: Number(process.env.RETRIES || 3),
  debug: process.env.DEBUG === "true",
  mode: process.env.NODE_ENV ?? "development",
};
const { total } = await tools.crm.customers.list({ limit: 1 });
return { ...config, total, keys: Object.keys(process.env).length };
