//# title = "atob and btoa are base64 of Latin-1"
//# [expect]
//# result = '["aOkA","hi","hi","InvalidCharacterError","InvalidCharacterError"]'
let refused;
try {
  btoa("€");
} catch (error) {
  refused = error.name;
}
let invalid;
try {
  atob("a");
} catch (error) {
  invalid = error.name;
}
return [btoa("hé\u0000"), atob(" aGk= "), atob("aGk"), refused, invalid];
