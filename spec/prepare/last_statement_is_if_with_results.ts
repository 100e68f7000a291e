//# title = "the expression that ends a branch of a last if gives the result"
//# [expect]
//# result = '{"total":3}'
//# logs = [["log", "many"]]
const rows: number[] = [1, 2];
if (rows.length === 0) {
  "there is nothing"
} else if (rows.length > 1) {
  console.log("many");
  const total: number = rows[0] + rows[1];
  ({ total })
} else {
  console.log("one");
}
