//# title = "exports.handler is called"
//# [expect]
//# result = '11'
exports.handler = async (event: unknown) => event === undefined ? 11 : 0;
