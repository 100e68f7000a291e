//# title = "an error in a method of a class with modifiers has its position"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'here'
//# line = 10
//# column = 72
class A<T> {
  private readonly list: T[] = [];
  public static async run<U>(this: void, u: U): Promise<never> { throw new Error("here"); }
}
await A.run(1);
