//# title = "static members belong to the class that a decorator makes"
//# [expect]
//# result = '[["count","self"],[true,true,1,["block"]],[2,3]]'
const log: string[] = [];
const replace = (value: any): any => class Other extends value {};

@replace
class C {
  static count = 1;
  static self = () => this;
  static accessor level = 2;
  static { if (this === C) log.push("block"); }
  static next() { return ++C.level; }
}
const type: any = C;
return [Object.keys(type), [type.self() === C, Object.getPrototypeOf(type).count === undefined, type.count, log], [type.level, type.next()]];
