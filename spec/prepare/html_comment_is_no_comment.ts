//# title = "less-than, not and decrement stay what they are"
//# [expect]
//# result = 'true'
let x = 2;
return 1 <!--x;
