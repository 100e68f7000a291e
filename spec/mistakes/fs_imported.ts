//# title = "the file system imported"
//# tools = "demo"
//# [expect.error]
//# code = "SYNTAX"
//# name = "SyntaxError"
//# message = "`node:fs` cannot be imported"
//# line = 10
//# column = 16
//# hint = "there is no file system here; call a tool, or keep data in variables and return it"
import fs from "node:fs";
export default () => fs.readFileSync("a.txt", "utf8");
//# [correction]
//# group = "absent"
//# why = "A program has no file system. A tool reads and writes files, if the host offers one."
//# program = '''
//# export default async () => await tools.demo.echo("the text of the file");
//# '''
//# [correction.expect]
//# result = '"the text of the file"'
//# calls = [["demo.echo", "applied"]]
