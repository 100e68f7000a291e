//# title = "an arrow function that returns a promise gives what the promise gives"
//# [expect]
//# result = '[1,2]'
() => Promise.resolve([1, 2])
