//# title = "an arrow function that calls itself gives its result, not a promise"
//# [expect]
//# result = '9'
(async () => {
  await null;
  return 9;
})();
