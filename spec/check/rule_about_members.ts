//# title = "a member is found with its object"
//# tools = "demo"
//# [[config.rules]]
//# deny = "members"
//# names = ["Math.random", "constructor"]
//# [expect]
//# [expect.error]
//# code = "CHECK"
//# name = 'CheckError'
//# message = 'the member `Math.random` is not allowed here'
//# line = 13
//# column = 30
return [Math.max(1, 2), Math.random()];
