//# title = "a function that ends the program is called"
//# [expect]
//# result = '2'
const n = 2;
async () => n
