//# title = "a module that the host does not offer is refused with what there is"
//# tools = "spec"
//# [modules]
//# csv = "export const parse = (text: string) => text.split(',')"
//# yaml = "export const parse = (text: string) => text.split(':')"
//# [expect]
//# [expect.error]
//# code = "SYNTAX"
//# name = "SyntaxError"
//# message = "`xml` cannot be imported"
//# line = 14
//# column = 19
//# hint = "the modules here are `csv`, `yaml`"
import { x } from 'xml';
return x;
