//# title = "an async arrow function that returns a promise gives its value"
//# [expect]
//# result = '[1]'
async () => new Promise((resolve) => resolve([1]))
