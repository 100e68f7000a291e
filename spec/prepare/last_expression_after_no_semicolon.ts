//# title = "a last expression that starts with a parenthesis does not call the line before"
//# [expect]
//# result = '3'
const rows = [1, 2];
rows.push(3);
(rows.length)
