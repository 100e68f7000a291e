//# title = "promises inside of a result are not awaited"
//# [expect]
//# result = '[{}]'
return [Promise.resolve(1)];
