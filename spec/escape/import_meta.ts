//# title = "import.meta is not available"
//# [expect]
//# [expect.error]
//# code = "SYNTAX"
//# name = 'SyntaxError'
//# message = '`import.meta` is not available'
//# line = 9
//# column = 35
export default () => [Object.keys(import.meta), (import.meta as any).url ?? null];
