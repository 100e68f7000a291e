//# title = "a directive at the start changes nothing"
//# [expect]
//# result = '1'
"use strict";
const a = 1;
return a;
