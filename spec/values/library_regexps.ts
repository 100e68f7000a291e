//# title = "regular expressions"
//# [expect]
//# result = '["06.05.2024", "42", true, false, true, 1, true, "bbb", "$&", [0, 1], ["a", "1", "b", "22", ""], false]'
return ["2024-05-06".replace(/(?<y>\d+)-(?<m>\d+)-(?<d>\d+)/, "$<d>.$<m>.$<y>"), /(?<=\$)\d+/.exec("a$42")?.[0], /^.$/u.test("😀"), /^.$/.test("😀"), /a.c/s.test("a\nc"), "aBc".match(/b/i)?.index, /\p{Lu}/u.test("É"), "aaa".replace(/a/gy, "b"), "x".replace(/x/, () => "$&"), /(a)|(b)/d.exec("b")?.indices?.[2], "a1b22".split(/(\d+)/), /[\p{L}--[a-c]]/v.test("a")];
