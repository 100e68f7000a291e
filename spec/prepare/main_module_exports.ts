//# title = "module.exports of a function calls it"
//# [expect]
//# result = '9'
const base = 9;
module.exports = async function () {
  return base;
};
