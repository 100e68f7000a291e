//# title = "a package imported"
//# tools = "demo"
//# [expect.error]
//# code = "SYNTAX"
//# name = "SyntaxError"
//# message = "`axios` cannot be imported"
//# line = 10
//# column = 19
//# hint = "use `fetch` if the host allows it, or the tools in `tools.…`"
import axios from "axios";
export default async () => (await axios.get("https://example.com")).data;
