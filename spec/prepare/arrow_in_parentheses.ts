//# title = "an arrow function in parentheses is called"
//# [expect]
//# result = '8'
(async () => {
  return 8;
})
