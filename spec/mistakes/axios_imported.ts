//# title = "a package imported"
//# tools = "demo"
//# [expect.error]
//# code = "SYNTAX"
//# name = "SyntaxError"
//# message = "`axios` cannot be imported"
//# line = 10
//# column = 19
//# hint = "use `fetch` where the host allows it, or call a tool"
import axios from "axios";
export default async () => (await axios.get("https://example.com")).data;
//# [correction]
//# group = "absent"
//# why = "Packages cannot be installed, and a program has no network. Call the tool that makes the request."
//# program = '''
//# export default async () => (await tools.weather.current({ city: "Oslo" })).celsius;
//# '''
//# [correction.expect]
//# result = '4'
//# calls = [["weather.current", "applied"]]
