//# title = "import.meta says nothing about the host"
//# [expect]
//# result = '[[],null]'
export default () => [Object.keys(import.meta), (import.meta as any).url ?? null];
