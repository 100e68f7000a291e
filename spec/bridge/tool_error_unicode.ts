//# title = "a message of a tool keeps its characters, and a NUL does not end it"
//# tools = "demo"
//# [expect]
//# result = '"a\u0000b ä 😀 \u2028"'
//# calls = [["demo.fail", "failed"]]
return await tools.demo.fail({ message: "a\0b ä 😀 \u2028" }).catch((error) => error.message);
