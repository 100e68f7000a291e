//# title = "an error in a getter has its position"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'getter'
//# line = 9
//# column = 27
const o = {
  get x(): number { throw new Error("getter"); },
};
return o.x;
