const timeout = <T>(promise: Promise<T>, ms: number, label: string): Promise<T> => {
  let timer: ReturnType<typeof setTimeout>;
  return Promise.race([
    promise,
    new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`${label} timed out after ${ms} ms`)), ms);
    }),
  ]).finally(() => clearTimeout(timer));
};

const results: Record<string, unknown> = {};
for (const source of ["cache", "slow"]) {
  try {
    results[source] = await timeout(tools.mirror.fetch({ source }), 150, source);
  } catch (e) {
    results[source] = (e as Error).message;
  }
}
return results;
