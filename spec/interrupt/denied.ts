//# title = "what a tool needs from outside may be refused, and the program catches that"
//# tools = "spec"
//# [[passes]]
//# pending = [["0", "spec.login", "interrupt"]]
//# payloads = ['{"url":"https://login.example.com","for":"mail"}']
//# deny = ["0"]
//# reason = "no"
//# [expect]
//# result = '["APPROVAL_DENIED","a person denied the call of `spec.login`: no"]'
//# calls = [["spec.login", "denied"]]
return await tools.spec.login({ for: "mail" }).catch((error) => [error.code, error.message]);
