//# title = "import.meta is not available"
//# tools = "demo"
//# [expect]
//# [expect.error]
//# code = "SYNTAX"
//# name = 'SyntaxError'
//# message = '`import.meta` is not available'
//# line = 10
//# column = 35
export default () => [Object.keys(import.meta), (import.meta as any).url ?? null];
