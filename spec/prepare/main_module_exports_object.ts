//# title = "module.exports of an object calls its main function"
//# [expect]
//# result = '10'
async function main() { return helper() + 1; }
function helper() { return 9; }
module.exports = { helper, main };
