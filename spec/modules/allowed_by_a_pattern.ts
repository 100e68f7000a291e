//# title = "a module of the host is there if a pattern of the rules allows it"
//# tools = "spec"
//# [[config.rules]]
//# allow = "imports"
//# names = ["@acme/*"]
//# [modules]
//# "@acme/csv" = "export const parse = (text: string) => text.split(',')"
//# [expect]
//# result = '["a","b"]'
import { parse } from '@acme/csv';
return parse('a,b');
