//# title = "the clock moves on by 1 ms per read, however it is read"
//# differsFromNode = "the clock of Node does not move with reads"
//# [expect]
//# result = '[1,1,1,1]'
const a = Date.now(), b = Date.now(), c = new Date().getTime(), d = +new Date(), e = new Date(Date.now()).valueOf();
return [b - a, c - b, d - c, e - d];
