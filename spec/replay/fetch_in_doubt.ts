//# title = "a request that changes something is in doubt if a crash came before its answer, and is not made again"
//# tools = "spec"
//# notUnderNode = "the web of the cases is a transport of the host"
//# crashChanges = "a crash comes before the request or after it"
//# [config.fetch]
//# allow = ["https://web.example/"]
//# methods = ["GET", "POST"]
//# [[passes]]
//# crash = true
//# [[passes]]
//# pending = [["0", "web.send", "in-doubt"]]
//# happened = { 0 = '{"status":201,"statusText":"Created","headers":[],"url":"https://web.example/","redirected":false,"body":"made"}' }
//# [expect]
//# result = '[201,"made",2]'
//# calls = [["web.send", "applied"], ["web.get", "applied"]]
const url = `https://web.example/crash/${crypto.randomUUID()}`;
const response = await fetch(url, { method: "POST", body: "order" });
return [response.status, await response.text(), await (await fetch(url)).json()];
