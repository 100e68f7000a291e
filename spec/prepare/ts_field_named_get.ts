//# title = "fields with the names of modifiers do not change the next member"
//# [expect]
//# result = '[1,2,3,["get","set","static"]]'
class A {
  get?: number
  a() { return 1; }
  set: number
  b() { return 2; }
  static!: number
  c() { return 3; }
}
const a = new A();
return [a.a(), a.b(), a.c(), Object.keys(a)];
