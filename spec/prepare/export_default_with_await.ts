//# title = "export default of a with await is the program"
//# [expect]
//# result = '16'
const n = await Promise.resolve(4);
export const other = 1;
export default n * n;
