//# title = "an error in a decorated method has its own place"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = 'here'
//# line = 13
//# column = 37
const same = (value: any) => value;

class C {
  @same
  @same async run() {
    const text: string = "a"; throw new TypeError("here");
  }
}
return await new C().run();
