//# title = "a rule of the host is kept, with its own message"
//# tools = "demo"
//# [[config.rules]]
//# deny = "syntax"
//# names = ["while", "class"]
//# message = "use the methods of arrays"
//# [expect]
//# [expect.error]
//# code = "CHECK"
//# name = 'CheckError'
//# message = '`while` is not allowed here: use the methods of arrays'
//# line = 16
//# column = 1
//# hint = 'this is rule 1 of the host over the syntax of programs'
let sum = 0;
while (sum < 3) sum += await tools.demo.echo(1);
return sum;
