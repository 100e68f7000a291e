//# title = "abstract classes lose what is abstract"
//# [expect]
//# result = '"square 9"'
abstract class Shape {
  abstract area(): number;
  abstract readonly name: string;
  describe() { return `${this.name} ${this.area()}`; }
}
class Square extends Shape {
  override readonly name = "square";
  constructor(private side: number) { super(); }
  override area() { return this.side ** 2; }
}
return new Square(3).describe();
