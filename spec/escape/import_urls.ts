//# title = "no address can be imported"
//# differsFromNode = "Node can import"
//# [expect]
//# result = "[\"TypeError: cannot import 'data:text/javascript,export default 7': only the program's own files and these modules can be imported: util, path, url, assert, crypto, events, buffer, timers, timers/promises, querystring, perf_hooks, process\",\"TypeError\",\"TypeError\",\"TypeError\",\"TypeError\",\"TypeError\"]"
const failed = (specifier: string) => import(specifier).then(() => "imported", (error) => error);
return [
  String(await failed("data:text/javascript,export default 7")),
  ...(await Promise.all(["file:///etc/passwd", "https://example.com/a.js", "./x.js", "/etc/passwd", "isobox:prelude"].map(failed))).map((error) => error.name),
];
