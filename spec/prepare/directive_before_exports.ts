//# title = "a directive before exports of CommonJS does not matter"
//# [expect]
//# result = '4'
"use strict";
exports.four = 4;
return exports.four;
