//# title = "a write to a property of a frozen object has another hint than one to a constant"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = "'total' is read-only"
//# line = 10
//# column = 16
//# hint = 'the object is frozen, or the property is: make a changed copy, `{ ...object, name: value }` or `list.with(index, value)`'
const order = Object.freeze({ total: 0 });
(order as any).total = 5;
return order;
