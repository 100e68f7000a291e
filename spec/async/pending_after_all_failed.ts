//# title = "a call that goes on after Promise.all has failed is cancelled at the end of the time for it"
//# tools = "demo"
//# limits = { settle = "20ms" }
//# [expect]
//# result = '1'
//# calls = [["demo.fail", "failed"], ["demo.wait", "cancelled-unknown"]]
//# warnings = ['the program returned while its call of `demo.wait` was still pending: the call was cancelled, and may have taken effect']
try {
  await Promise.all([tools.demo.fail({ message: "x" }), tools.demo.wait({ ms: 10000 })]);
} catch {}
return 1;
