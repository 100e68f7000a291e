//# title = "a request whose answer was recorded is not made again after a crash"
//# tools = "spec"
//# notUnderNode = "the web of the cases is a transport of the host"
//# crashChanges = "a request that was under way is made again, and is counted twice"
//# [config.fetch]
//# allow = ["https://web.example/"]
//# [[passes]]
//# crash = true
//# [expect]
//# result = '[[200,1],1,[200,2]]'
//# calls = [["web.get", "applied"], ["spec.crashSafely", "applied"], ["web.get", "applied"]]
const url = `https://web.example/${crypto.randomUUID()}`;
const count = async () => {
  const response = await fetch(url);
  return [response.status, await response.json()];
};
const first = await count();
const { done } = await tools.spec.crashSafely(1);
return [first, done, await count()];
