//# title = "regular expressions leave nothing behind that others could read"
//# differsFromNode = "Node keeps the last match"
//# [expect]
//# result = '[null,null,null,null]'
/(secret)/.exec("a secret");
const { $1, lastMatch, input, leftContext } = RegExp as any;
return [$1, lastMatch, input, leftContext].map((value) => value ?? null);
