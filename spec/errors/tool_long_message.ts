//# title = "the message of a tool is cut after 4000 characters"
//# tools = "demo"
//# [expect]
//# calls = [["demo.fail", "failed"]]
//# result = '[4001,"…","m"]'
const message = "m".repeat(5000);
try {
  await tools.demo.fail({ message });
} catch (error) {
  return [error.message.length, error.message.at(-1), error.message.at(-2)];
}
