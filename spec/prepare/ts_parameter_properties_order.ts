//# title = "parameter properties come before other fields, and are assigned behind super()"
//# [expect]
//# result = '[["a","b","c"],[1,2,3],"base"]'
class Base { base() { return "base" } }
class Point extends Base {
  b = 2;
  constructor(public a: number, protected readonly c = 3) {
    const before = "super";
    super();
    if (before !== "super" || this.a !== 1) throw new Error("not assigned");
  }
}
const point = new Point(1);
return [Object.keys(point).sort(), [point.a, point.b, point["c"]], point.base()];
