//# title = "Promise.withResolvers and Promise.try are there"
//# [expect]
//# result = '[1,2]'
const { promise, resolve } = Promise.withResolvers<number>();
resolve(1);
return [await promise, await (Promise as any).try(() => { throw 2; }).catch((e: number) => e)];
