//# title = "a request that only reads is made again if a crash came before its answer"
//# tools = "spec"
//# notUnderNode = "the web of the cases is a transport of the host"
//# crashChanges = "every crash adds a request"
//# [config.fetch]
//# allow = ["https://web.example/"]
//# [[passes]]
//# crash = true
//# [expect]
//# result = '2'
//# calls = [["web.get", "applied"]]
return await (await fetch(`https://web.example/crash/${crypto.randomUUID()}`)).json();
