//# title = "an enum may stand inside of a function or block"
//# [expect]
//# result = '["a",2]'
function f() {
  enum Inner { A = "a" }
  return Inner.A;
}
{
  const enum Block { B = 2 }
  return [f(), Block.B];
}
