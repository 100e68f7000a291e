//# title = "types behind the last expression do not count"
//# [expect]
//# result = '42'
40 + 2;
interface After { x: number }
