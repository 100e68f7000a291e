//# title = "fetch requests the addresses that the host allows, and no others"
//# tools = "spec"
//# notUnderNode = "the web of the cases is a transport of the host"
//# crashChanges = "a request that was under way is made again, and is counted twice"
//# [config.fetch]
//# allow = ["https://web.example/"]
//# [expect]
//# result = '[[1,2],"FETCH"]'
//# calls = [["web.get", "applied"], ["web.get", "applied"], ["web.get", "failed"]]
const url = `https://web.example/${crypto.randomUUID()}`;
const responses = await Promise.all([fetch(url), fetch(url)]);
const counts = await Promise.all(responses.map((response) => response.json()));
const refused = await fetch("https://elsewhere.example/").catch((error) => error.code);
return [counts.sort(), refused];
