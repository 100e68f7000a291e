//# title = "defaults of the input schema are filled in where that is asked for, at every level, and never over what is there"
//# tools = "spec"
//# [config.validation]
//# defaults = "fill"
//# [expect]
//# result = '''
//#   [{ "limit": 10, "sort": { "by": "name" } },
//#    { "limit": 5, "sort": { "by": "age" }, "filters": [{ "not": false }, { "not": true }] }]
//# '''
//# calls = [["spec.page", "applied"], ["spec.page", "failed"], ["spec.page", "applied"]]
const bare = await tools.spec.page();
// What is there stays, even if it does not fit.
await tools.spec.page({ limit: null }).then(() => { throw new Error("it was overwritten"); }, () => {});
return [bare, await tools.spec.page({ limit: 5, sort: { by: "age" }, filters: [{}, { not: true }] })];
