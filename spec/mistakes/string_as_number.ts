//# title = "a method of a number on a text"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = "price.toFixed is not a function: price is a string"
//# line = 10
//# column = 14
const price: any = "12.5";
return price.toFixed(2);
//# [correction]
//# group = "kinds"
//# why = "Many services return numbers as text. Convert the text before it is used as a number."
//# program = '''
//# const price: any = "12.5";
//# return Number(price).toFixed(2);
//# '''
//# [correction.expect]
//# result = '"12.50"'
