//# title = "parameter properties are set after super"
//# [expect]
//# result = '{"a":1,"b":3}'
class A { constructor(public a: number) {} }
class B extends A {
  constructor(a: number, public b: number) {
    super(a);
    this.b += this.a;
  }
}
return new B(1, 2);
