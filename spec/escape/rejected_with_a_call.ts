//# title = "a program rejected with a promise has that promise as its reason"
//# [expect]
//# [expect.error]
//# code = "THROWN"
//# name = 'Error'
//# message = 'Promise {…}'
const call = Promise.resolve(1);
return Promise.reject(call);
