//# title = "less-than, not and decrement stay what they are"
//# [expect]
//# result = '[false,1]'
let x = 2;
return [1 <!--x, x];
