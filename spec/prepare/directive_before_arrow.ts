//# title = "a directive before the one arrow function does not matter"
//# [expect]
//# result = '3'
"use strict";
async () => 3
