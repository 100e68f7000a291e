//# title = "overload signatures vanish"
//# [expect]
//# result = '[1,"a",[2]]'
function f(a: string): string;
function f(a: number): number;
function f(a: any) { return a; }
class C {
  m(a: string): string;
  m(a: number): number;
  m(a: any) { return [a]; }
  constructor();
  constructor(a?: number) {}
}
return [f(1), f("a"), new C().m(2)];
