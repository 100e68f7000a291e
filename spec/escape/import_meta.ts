//# title = "import.meta has nothing of the host"
//# tools = "demo"
//# [expect]
//# result = '[[],null]'
export default () => [Object.keys(import.meta), (import.meta as any).url ?? null];
