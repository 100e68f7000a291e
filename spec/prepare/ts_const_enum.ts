//# title = "a const enum can be read"
//# [expect]
//# result = '[1,10]'
const enum Level { Low = 1, High = 10 }
return [Level.Low, Level.High];
