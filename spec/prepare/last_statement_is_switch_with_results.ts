//# title = "the expression that ends a case of a last switch gives the result"
//# [expect]
//# result = '"two"'
const number: number = 2;
switch (number) {
  case 1:
    "one";
    break;
  case 2:
    "two";
    break;
  default:
    "many";
}
