//# title = "big integers"
//# [expect]
//# result = '["1267650600228229401496703205376","-3","1","bigint",true,true,"255","7b"]'
return [String(2n ** 100n), String(-7n / 2n), String(BigInt.asUintN(8, 257n)), typeof 1n, 1n < 2, 2n == (2 as any), String(BigInt("0xff")), (123n).toString(16)];
