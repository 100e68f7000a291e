//# title = "halves of surrogate pairs become U+FFFD in the input of a tool"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "applied"]]
//# result = '[true,true]'
const back = await tools.demo.echo({ text: "x\ud83dy", ok: "😀" });
return [back.text === "x\ufffdy", back.ok === "😀"];
