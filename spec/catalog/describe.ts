//# title = "codemode.describe gives the declarations of a tool or a namespace"
//# tools = "demo"
//# [expect]
//# result = '[{"path":"mail.send","kind":"tool","description":"Sends a mail. (It does not really.)","types":"declare const tools: { mail: {\n  /** Sends a mail. (It does not really.) */\n  send(input: { to: string; subject: string; body?: string }): Promise<unknown>;\n} };\n"},"namespace",true]'
//# calls = [["codemode.describe", "applied"], ["describe", "applied"]]
const tool = await codemode.describe("mail.send");
const namespace = await tools.describe("tools.demo");
return [tool, namespace.kind, namespace.types.includes("echo(")];
