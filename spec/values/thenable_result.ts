//# title = "a thenable as the result is awaited"
//# [expect]
//# result = '7'
return { then(resolve: (v: number) => void) { resolve(7); } };
