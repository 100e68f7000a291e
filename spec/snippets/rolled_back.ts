//# title = "a rollback reverts the calls of snippets with the others, the last one first"
//# tools = "spec"
//# [snippets]
//# makes = 'for (const name of input) await tools.spec.make({ name })'
//# [expect]
//# result = "1"
//# calls = [["spec.make", "applied"], ["codemode.run", "applied"], ["spec.make", "applied"], ["spec.make", "applied"], ["spec.make", "applied"]]
//# [rollback]
//# calls = [["spec.make", "reverted"], ["codemode.run", "applied"], ["spec.make", "reverted"], ["spec.make", "reverted"], ["spec.make", "reverted"], ["spec.unmake", "applied"], ["spec.unmake", "applied"], ["spec.unmake", "applied"], ["spec.unmake", "applied"]]
await tools.spec.make({ name: "a" });
await codemode.run("makes", ["b", "c"]);
await tools.spec.make({ name: "d" });
return 1;
