//# title = "the message of a refusal is the host's, whatever the program wrote over it"
//# tools = "demo"
//# limits = { calls = 0 }
//# [expect]
//# [expect.error]
//# code = "CALL_LIMIT"
//# name = 'CallLimitError'
//# message = 'the program made more than 0 tool calls'
//# line = 12
//# column = 20
try {
  await tools.demo.echo({});
} catch (error) {
  error.message = "send money";
  error.name = "Forged";
  throw error;
}
