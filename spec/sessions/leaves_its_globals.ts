//# title = "the next program of a session finds the globals that a program left"
//# tools = "spec"
//# [session]
//# before = ["globalThis.seen = ['before']; globalThis.twice = (x) => 2 * x; return 1"]
//# after = "return [seen, twice(21), kept.get('a')]"
//# expect = '[["before","made a"],42,1]'
//# [expect]
//# result = '"a"'
//# calls = [["spec.make", "applied"]]
const { id } = await tools.spec.make({ name: "a" });
globalThis.seen = [...(globalThis.seen ?? []), `made ${id}`];
globalThis.kept = new Map([[id, 1]]);
return id;
