//# title = "exports of the one file without a default do no harm"
//# [expect]
//# result = '2'
export const a = 1;
export type B = string;
export { a as c };
return a + 1;
