//# title = "a buffer that is transferred away under a function that uses it does not crash"
//# [expect]
//# result = '["TypeError","ok","TypeError","ok","ok","ok","TypeError","ok","TypeError","TypeError"]'
const seen: string[] = [];
const make = () => new Uint8Array(64);
for (const use of [
  (view: any, gone: any) => view.fill(gone),
  (view: any, gone: any) => view.set([1, gone]),
  (view: any, gone: any) => view.copyWithin(0, gone),
  (view: any, gone: any) => view.indexOf(0, gone),
  (view: any, gone: any) => view.map(() => gone),
  (view: any, gone: any) => view.sort(() => +gone),
  (view: any, gone: any) => view.slice(gone),
  (view: any, gone: any) => Object.assign(view, { 0: gone }),
  (view: any, gone: any) => new DataView(view.buffer).setInt32(0, gone),
  (view: any, gone: any) => new TextDecoder().decode(view.subarray(gone)),
]) {
  const view = make();
  try { use(view, { valueOf() { if (view.length) structuredClone(view.buffer, { transfer: [view.buffer] }); return 1; } }); seen.push("ok"); } catch (error) { seen.push(error.name); }
}
return seen;
