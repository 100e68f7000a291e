//# title = "AbortController tells its listeners, once"
//# [expect]
//# result = '[["abort",true,"on"],true,["AbortError",true,20],"why",1]'
const c = new AbortController();
const seen: any[] = [];
c.signal.addEventListener("abort", (event) => seen.push(event.type, (event.target as any) === c.signal));
c.signal.onabort = () => seen.push("on");
c.abort();
c.abort();
let thrown;
try {
  c.signal.throwIfAborted();
} catch (error) {
  thrown = [error.name, error instanceof DOMException, error.code];
}
return [seen, c.signal.aborted, thrown, AbortSignal.abort("why").reason, AbortSignal.any([AbortSignal.abort(1), c.signal]).reason];
