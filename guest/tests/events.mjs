import { check, compare } from "./check.mjs";

// Scripts that return plain data, run inside and outside.
const SCRIPTS = {
  abort: `const c = new AbortController(); const log = [];
    c.signal.addEventListener("abort", (e) => log.push(e.type, e.target === c.signal, e.isTrusted));
    c.signal.onabort = () => log.push("on"); log.push(c.signal.aborted, c.signal.reason); c.abort(); c.abort("again");
    return [...log, c.signal.aborted, c.signal.reason.name, c.signal.reason.code];`,
  reason: `const c = new AbortController(); c.abort(5);
    try { c.signal.throwIfAborted() } catch (e) { return [e, c.signal.reason] }`,
  "null is a reason": `const c = new AbortController(); c.abort(null); return [c.signal.reason];`,
  "static abort": `const s = AbortSignal.abort(); const t = AbortSignal.abort("x");
    return [s.aborted, s.reason.name, t.reason];`,
  "not constructible": `new AbortSignal()`,
  any: `const a = new AbortController(), b = new AbortController(); const any = AbortSignal.any([a.signal, b.signal]);
    const all = AbortSignal.any([any]);
    const log = []; a.signal.addEventListener("abort", () => log.push("a", any.aborted, all.aborted));
    any.onabort = () => log.push("any"); all.onabort = () => log.push("all");
    const before = all.aborted; a.abort("r"); b.abort("s"); return [before, log, any.reason, all.reason];`,
  "any of aborted": `return [AbortSignal.any([AbortSignal.abort(1), AbortSignal.abort(2)]).reason, AbortSignal.any([]).aborted];`,
  "any of nonsense": `AbortSignal.any([1])`,
  "timeout needs a number": `AbortSignal.timeout(-1)`,
  "onabort can be replaced": `const c = new AbortController(); const log = []; c.signal.onabort = () => log.push(1);
    c.signal.onabort = () => log.push(2); c.abort();
    return [log];`,
  "onabort can be removed": `const c = new AbortController(); const log = []; c.signal.onabort = () => log.push(1);
    c.signal.onabort = null; c.abort();
    return [log, c.signal.onabort];`,
  once: `const t = new EventTarget(); let n = 0; t.addEventListener("x", () => n++, { once: true });
    t.dispatchEvent(new Event("x")); t.dispatchEvent(new Event("x")); return n;`,
  remove: `const t = new EventTarget(); let n = 0; const f = () => n++; t.addEventListener("x", f);
    t.addEventListener("x", f); t.addEventListener("x", f, true);
    t.dispatchEvent(new Event("x")); t.removeEventListener("x", f); t.dispatchEvent(new Event("x")); return n;`,
  "with a signal": `const t = new EventTarget(), c = new AbortController(); let n = 0;
    t.addEventListener("x", () => n++, { signal: c.signal });
    t.dispatchEvent(new Event("x")); c.abort(); t.dispatchEvent(new Event("x")); return n;`,
  "handler object": `const t = new EventTarget(); const o = { n: 0, handleEvent(e) { this.n++; } };
    t.addEventListener("x", o); t.dispatchEvent(new Event("x")); return o.n;`,
  prevent: `const t = new EventTarget(); t.addEventListener("x", (e) => e.preventDefault());
    const e = new Event("x", { cancelable: true });
    return [t.dispatchEvent(e), e.defaultPrevented, t.dispatchEvent(new Event("x"))];`,
  passive: `const t = new EventTarget(); t.addEventListener("x", (e) => e.preventDefault(), { passive: true });
    return t.dispatchEvent(new Event("x", { cancelable: true }));`,
  stop: `const t = new EventTarget(); const log = []; t.addEventListener("x", (e) => { log.push(1);
    e.stopImmediatePropagation(); }); t.addEventListener("x", () => log.push(2));
    t.dispatchEvent(new Event("x")); return log;`,
  fields: `const e = new Event("x", { bubbles: true }); const t = new EventTarget(); const log = [];
    t.addEventListener("x", function (e) { log.push(this === t, e.currentTarget === t, e.eventPhase, e.composedPath().length); }); t.dispatchEvent(e);
    return [log, e.type, e.bubbles, e.cancelable, e.composed, e.isTrusted, e.eventPhase, e.currentTarget, e.target === t, e.returnValue, Event.AT_TARGET];`,
  "added while dispatching": `const t = new EventTarget(); const log = []; t.addEventListener("x", () => { log.push(1);
    t.addEventListener("x", () => log.push(2)); }, { once: true });
    t.dispatchEvent(new Event("x")); t.dispatchEvent(new Event("x")); return log;`,
  "removed while dispatching": `const t = new EventTarget(); const log = []; const f = () => log.push(2);
    t.addEventListener("x", () => t.removeEventListener("x", f)); t.addEventListener("x", f);
    t.dispatchEvent(new Event("x")); return log;`,
  "dispatched twice at once": `const t = new EventTarget(); const e = new Event("x"); let name;
    t.addEventListener("x", () => { try { t.dispatchEvent(e) } catch (error) { name = "refused" } });
    t.dispatchEvent(e); return name;`,
  "no type": `new Event()`,
  "not an event": `new EventTarget().dispatchEvent({ type: "x" })`,
  subclass: `class T extends EventTarget {}; class E extends Event { constructor() { super("e"); this.extra = 1;
    } } const t = new T(); let got; t.addEventListener("e", (e) => got = e.extra);
    t.dispatchEvent(new E()); return got;`,
};

export function testEvents({ run, logs, timers }, known) {
  for (const [name, code] of Object.entries(SCRIPTS)) {
    const plain = (value) => JSON.parse(JSON.stringify(value ?? null));
    compare(`events ${name}`, () => plain(run(`(() => { ${code} })()`)), () => plain((0,
      eval)(`(() => { ${code} })()`)), known);
  }
  const signal = run("globalThis.signal = AbortSignal.timeout(50); signal");
  const timer = [...timers.values()].at(-1);
  check("timeout sets a timer", [timer.delay, signal.aborted], [50, false]);
  timer.callback();
  check("timeout aborts", [signal.aborted, signal.reason.name], [true, "TimeoutError"]);
  logs.length = 0;
  check("an error in a listener is logged and the next one runs", run(`
    const t = new EventTarget(); let n = 0; t.addEventListener("x", () => { throw new Error("boom") });
    t.addEventListener("x", () => n++);
    t.dispatchEvent(new Event("x")); n`), 1);
  check("the log of it", [logs.length, logs[0]?.[0], logs[0]?.[1].startsWith("Uncaught Error: boom")], [1, 4, true]);
}
