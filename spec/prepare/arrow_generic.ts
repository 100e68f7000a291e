//# title = "one generic arrow function is called"
//# [expect]
//# result = '"undefined"'
async <T,>(x?: T): Promise<string> => typeof x
