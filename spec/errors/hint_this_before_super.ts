//# title = "`this` before `super()` has a hint of its own"
//# [expect.error]
//# code = "THROWN"
//# name = "ReferenceError"
//# message = "this is not initialized"
//# line = 13
//# column = 5
//# hint = 'call `super(…)` in the constructor before `this` is used'
class Base {}
class Derived extends Base {
  name: string;
  constructor() {
    this.name = "early";
    super();
  }
}
return new Derived().name;
