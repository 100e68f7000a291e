//# title = "the name of a function that ends the program calls it"
//# [expect]
//# result = '15'
const main = async () => 15;
main
