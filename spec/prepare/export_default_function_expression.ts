//# title = "export default of a function expression is the program"
//# [expect]
//# result = '3'
export default (function () {
  return 3;
});
