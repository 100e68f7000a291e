//# title = "an error in an event listener is logged and ends nothing"
//# tools = "demo"
//# [expect]
//# logs = [["error", "Uncaught null"]]
//# result = 'true'
const c = new AbortController();
c.signal.addEventListener("abort", () => { throw null; });
c.abort();
return c.signal.aborted;
