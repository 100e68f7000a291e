//# title = "accessor fields are a getter and a setter with a private value"
//# [expect]
//# result = '[[2,3,null],[],["x","y"]]'
class A {
  accessor x = 1
  static accessor count: number = 2
  accessor y: string | undefined
}
const a = new A();
a.x++;
A.count++;
return [[a.x, A.count, a.y], Object.keys(a), Object.getOwnPropertyNames(A.prototype).slice(1)];
