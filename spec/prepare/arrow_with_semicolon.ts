//# title = "a semicolon behind the arrow function changes nothing"
//# [expect]
//# result = '7'
async () => {
  return 7;
};
