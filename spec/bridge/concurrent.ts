//# title = "calls made before an await run at once"
//# tools = "spec"
//# [expect]
//# result = 'true'
//# calls = [["spec.atOnce", "applied"], ["spec.atOnce", "applied"], ["spec.atOnce", "applied"]]
const seen: number[] = await Promise.all([tools.spec.atOnce(), tools.spec.atOnce(), tools.spec.atOnce()]);
return Math.max(...seen) >= 3;
