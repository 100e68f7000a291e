//# title = "a transformed line with umlauts and emoji keeps its columns"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'here'
//# line = 9
//# column = 45
enum Größe { Klein = "ä😀" }
const s: string = "😀ü" + Größe.Klein; throw new Error("here");
