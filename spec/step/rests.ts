//# title = "a step rests where its work does, and gives the same however the program is brought back"
//# tools = "spec"
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"]]
//# approve = "all"
//# [[passes]]
//# pending = [["1", "spec.pay", "approval"]]
//# approve = "all"
//# [expect]
//# result = '[3,1]'
//# calls = [["spec.pay", "applied"], ["spec.pay", "applied"], ["codemode.step", "applied"]]
let done = 0;
const total = await codemode.step("total", async () => {
  done++;
  return (await tools.spec.pay({ amount: 1 })).paid + (await tools.spec.pay({ amount: 2 })).paid;
});
return [total, done];
