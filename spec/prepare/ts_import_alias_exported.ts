//# title = "an alias that is exported and not used otherwise stays exported"
//# [expect]
//# result = '5'
namespace A { export const c = 5; }
export import c = A.c;
export import d = A.c;
export import path = require("path");
export default A.c;
