class AppError extends Error {
  constructor(message: string, readonly code: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}
class NetworkError extends AppError {}
class StorageError extends AppError {}

async function load(source: string) {
  try {
    return await tools.mirror.fetch({ source });
  } catch (cause) {
    throw new NetworkError(`cannot load ${source}`, "E_NET", { cause });
  }
}
async function save(source: string) {
  try { await load(source); } catch (cause) { throw new StorageError("cannot save", "E_STORE", { cause }); }
}
const chain = (e: unknown): string[] => (e instanceof Error ? [`${e.name}: ${e.message}`, ...chain(e.cause)] : []);
try {
  await save("offline");
} catch (e) {
  const agg = new AggregateError([e, new TypeError("other")], "several");
  return { chain: chain(e), is: [e instanceof StorageError, e instanceof NetworkError, e instanceof AppError], agg: agg.errors.map((x) => x.name), str: String(e), code: (e as AppError).code, hasStack: typeof (e as Error).stack === "string" };
}
