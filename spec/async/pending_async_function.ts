//# title = "a call in an async function that is not awaited is made, and cancelled when it takes too long"
//# tools = "demo"
//# limits = { settle = "20ms" }
//# [expect]
//# result = '1'
//# calls = [["demo.wait", "cancelled-unknown"]]
//# warnings = ['the program returned while its call of `demo.wait` was still pending: the call was cancelled, and may have taken effect']
async function send() {
  await tools.demo.wait({ ms: 10000 });
}
send();
return 1;
