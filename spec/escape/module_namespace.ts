//# title = "the namespace of a module cannot be written to, and its parts cannot be reached from outside"
//# tools = "demo"
//# [expect]
//# result = '["TypeError","TypeError"]'
import * as own from "./other.ts";
export default () => 1;
