//# title = "a name that a module does not export is refused with its place"
//# tools = "spec"
//# [modules]
//# csv = "export const parse = (text: string) => text.split(',')"
//# [expect]
//# [expect.error]
//# code = "SYNTAX"
//# name = "SyntaxError"
//# message = "`csv` does not export `pars`"
//# line = 12
//# column = 10
import { pars } from 'csv';
return pars('a');
