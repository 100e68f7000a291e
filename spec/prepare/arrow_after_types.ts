//# title = "types before the one arrow function do not count as code"
//# [expect]
//# result = '[{"id":1}]'
interface Row { id: number }
type Rows = Row[];
async (): Promise<Rows> => [{ id: 1 }]
