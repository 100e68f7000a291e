class NotFound extends Error {
  constructor(readonly id: string) {
    super(`nothing with id ${id}`);
    this.name = "NotFound";
  }
}
type Result<T, E = Error> = { ok: true; value: T } | { ok: false; error: E };
const attempt = async <T>(fn: () => Promise<T>): Promise<Result<T>> => {
  try { return { ok: true, value: await fn() }; } catch (error) { return { ok: false, error: error as Error }; }
};
return [
  await attempt(async () => (await tools.crm.customers.get({ id: "cus_002" })).name),
  await attempt(() => tools.crm.customers.get({ id: "x" })),
  await attempt(async () => { throw new NotFound("42"); }),
  await attempt(async () => { throw new RangeError("too big"); }),
];
