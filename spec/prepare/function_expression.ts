//# title = "one function expression is called"
//# [expect]
//# result = '"expression"'
(function () {
  return "expression";
})
