//# title = "a rate counts the reverts of a rollback, and not the calls before it, also after a pause"
//# tools = "spec"
//# policy = [{ tools = ["spec.make", "spec.unmake"], rate = 3 }]
//# [expect]
//# result = "1"
//# calls = [["spec.make", "applied"], ["spec.make", "applied"], ["spec.make", "applied"]]
//# [rollback]
//# calls = [["spec.make", "reverted"], ["spec.make", "reverted"], ["spec.make", "reverted"], ["spec.unmake", "applied"], ["spec.unmake", "applied"], ["spec.unmake", "applied"]]
//# [[rollback.passes]]
//# pending = [["4", "spec.unmake", "approval"]]
//# inputs = ['{"id":"guarded","of":"guarded"}']
//# approve = "all"
for (const name of ["a", "guarded", "b"]) await tools.spec.make({ name });
return 1;
