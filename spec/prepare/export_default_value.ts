//# title = "export default of a value is the program"
//# [expect]
//# result = '[2,4,6]'
const rows = [1, 2, 3];
export default rows.map((n) => n * 2);
