//# title = "what a tool says is cut after 4,000 characters"
//# tools = "demo"
//# [expect]
//# result = '[4001,"…"]'
//# calls = [["demo.fail", "failed"]]
const message = await tools.demo.fail({ message: "x".repeat(5000) }).catch((error) => error.message);
return [message.length, message.at(-1)];
