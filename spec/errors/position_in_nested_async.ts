//# title = "an error deep in async functions has the position of its throw"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = 'cannot read "name" of undefined: rows[0] is undefined'
//# line = 12
//# column = 18
const a = async () => { await null; return b(); };
const b = async () => {
  await null;
  const rows: any[] = [];
  return rows[0].name;
};
return await a();
