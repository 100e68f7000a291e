//# title = "a function that expects its tools as an argument is told that they are a global"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = "cannot destructure \"tools\" of undefined"
//# line = 9
//# column = 10
//# hint = '`tools` is a global here, and not an argument: write `async () => …`'
async ({ tools }) => tools.demo.echo({ a: 1 })
