//# title = "text goes to a tool and back unchanged"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "applied"]]
//# result = 'true'
const text = Array.from({ length: 0x300 }, (_, i) => String.fromCharCode(i)).join("") + "\u2028\ufeff\uffff😀";
return (await tools.demo.echo({ text })).text === text;
