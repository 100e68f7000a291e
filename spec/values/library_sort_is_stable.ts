//# title = "sorting is stable"
//# [expect]
//# result = 'true'
const rows = Array.from({ length: 200 }, (_, i) => ({ k: i % 3, i }));
rows.sort((a, b) => a.k - b.k);
return rows.every((row, at) => at === 0 || rows[at - 1].k < row.k || (rows[at - 1].k === row.k && rows[at - 1].i < row.i));
