//# title = "an error in a chain over several lines has the line of its link"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = 'cannot read "join" of undefined: tags is undefined'
//# line = 12
//# column = 6
const rows = [{ tags: ["a"] }, {}] as { tags: string[] }[];
return rows
  .map((row) => row.tags)
  .map((tags) => tags
    .join(","));
