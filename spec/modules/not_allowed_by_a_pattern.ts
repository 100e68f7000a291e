//# title = "a module of the host is refused if no pattern of the rules allows it"
//# tools = "spec"
//# [[config.rules]]
//# allow = "imports"
//# names = ["@acme/*"]
//# [modules]
//# csv = "export const parse = (text: string) => text.split(',')"
//# [expect]
//# [expect.error]
//# code = "CHECK"
//# name = "CheckError"
//# message = "the import of `csv` is not allowed here"
//# line = 15
//# column = 23
import { parse } from 'csv';
return parse('a,b');
