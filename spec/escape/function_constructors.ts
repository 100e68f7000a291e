//# title = "no function constructor makes code from text"
//# differsFromNode = "Node makes code from text"
//# [expect]
//# result = '["code cannot be made from text here","code cannot be made from text here","code cannot be made from text here","code cannot be made from text here"]'
const message = (make: any) => { try { return make("return 7")(); } catch (error) { return error.message; } };
return [
  message((() => {}).constructor),
  message((async () => {}).constructor),
  message((function* () {}).constructor),
  message((async function* () {}).constructor),
];
