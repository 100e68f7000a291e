//# title = "every kind of character goes to a tool and back"
//# tools = "demo"
//# [expect]
//# result = 'true'
//# calls = [["demo.echo", "applied"]]
const text = Array.from({ length: 0x250 }, (_, i) => String.fromCodePoint(i)).join("") + "\u2028\u2029\ufeff\uffff😀𝒳\u{10ffff}";
return (await tools.demo.echo(text)) === text;
