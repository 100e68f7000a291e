//# title = "URLSearchParams reads and writes queries"
//# [expect]
//# result = '[["1", "2"], null, true, 4, "a=1&a=2&c=%C3%A9%26%3D&d=4", [["x", "1 2"]], ["a", "a", "c", "d"]]'
const p = new URLSearchParams("?a=1&a=2&b=%26+x");
p.append("c", "é&=");
p.delete("b");
p.set("d", "4");
p.sort();
return [p.getAll("a"), p.get("zz"), p.has("c"), p.size, String(p), [...new URLSearchParams({ x: "1 2" })], [...p.keys()]];
