//# title = "the file system imported"
//# tools = "demo"
//# [expect.error]
//# code = "SYNTAX"
//# name = "SyntaxError"
//# message = "`node:fs` cannot be imported"
//# line = 10
//# column = 16
//# hint = "there is no file system; use a tool that reads or writes files, in `tools.…`"
import fs from "node:fs";
export default () => fs.readFileSync("a.txt", "utf8");
