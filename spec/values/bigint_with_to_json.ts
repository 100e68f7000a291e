//# title = "a BigInt with a toJSON is what that gives"
//# [expect]
//# result = '["10"]'
(BigInt.prototype as any).toJSON = function () { return this.toString(); };
return [10n];
