//# title = "what is redacted reaches the tool and the program, and is in no record; all such rules add up"
//# tools = "demo"
//# inputs = true
//# policy = [{ tools = "demo.*", allow = true }, { tools = "demo.*", redact = ["/password"] }, { tools = "*", redact = ["/users/0/name", "/nothing"] }]
//# [expect]
//# result = '"hunter2"'
//# calls = [["demo.echo", "applied"]]
//# inputs = ['{"password":"[redacted]","users":[{"name":"[redacted]"},{"name":"b"}]}']
const { password } = await tools.demo.echo({ password: "hunter2", users: [{ name: "a" }, { name: "b" }] });
return password;
