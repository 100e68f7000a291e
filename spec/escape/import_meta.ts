//# title = "import.meta says nothing about the host"
//# differsFromNode = "Node gives the address of the file"
//# [expect]
//# result = '[[],null]'
export default () => [Object.keys(import.meta), (import.meta as any).url ?? null];
