//# title = "strings"
//# [expect]
//# result = '["c", "abc", "abx", "AE", ["a", "b"], [1, 3], "STRASSE", "ας", -1, 128512, "\\n", "x", "ab", 3, "%C3%A4%20%26", true]'
return ["abc".at(-1), "a-b-c".replaceAll("-", ""), "x".padStart(3, "ab"), "ÀÉ".normalize("NFD").replace(/\p{M}/gu, ""), "a,b".split(","), [..."a1b2".matchAll(/\d/g)].map((m) => m.index), "Straße".toUpperCase(), "ΑΣ".toLowerCase(), "abc".localeCompare("abd"), "😀".codePointAt(0), String.raw`\n`, "  x ".trim(), "abc".substring(2, 0), "%E4".length, encodeURIComponent("ä &"), "a\u0301" === "á".normalize("NFD")];
