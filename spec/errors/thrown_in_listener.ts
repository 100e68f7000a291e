//# title = "an error in an event listener is logged and ends nothing"
//# differsFromNode = "Node ends the process where a listener throws"
//# [expect]
//# logs = [["error", "Uncaught null"]]
//# result = 'true'
const c = new AbortController();
c.signal.addEventListener("abort", () => { throw null; });
c.abort();
return c.signal.aborted;
