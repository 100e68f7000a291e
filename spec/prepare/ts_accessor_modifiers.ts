//# title = "accessors with modifiers and types run"
//# [expect]
//# result = '[8,[1,2]]'
class A {
  private _x: number = 1;
  public get x(): number { return this._x; }
  public set x(value: number) { this._x = value * 2; }
  static async *each<T>(this: unknown, list: readonly T[]): AsyncGenerator<T> { yield* list; }
}
const a = new A();
a.x = 4;
return [a.x, await Array.fromAsync(A.each([1, 2]))];
