//# title = "Promise.any takes the first that does not fail"
//# [expect]
//# result = '[2,["AggregateError",[1,2]]]'
const any = await Promise.any([Promise.reject(1), Promise.resolve(2), Promise.resolve(3)]);
const none = await Promise.any([Promise.reject(1), Promise.reject(2)]).catch((error) => [error.name, error.errors]);
return [any, none];
