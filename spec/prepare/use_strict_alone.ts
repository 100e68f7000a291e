//# title = "a directive alone is no result"
//# [expect]
//# result = 'null'
"use strict";
