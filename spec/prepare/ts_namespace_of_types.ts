//# title = "a namespace of nothing but types vanishes"
//# [expect]
//# result = '{"a":1}'
namespace Types { export interface A { a: number } export type B = A }
const a: Types.B = { a: 1 };
return a;
