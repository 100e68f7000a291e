//# title = "timers count as calls, and setTimeout throws when there are none left"
//# limits = { calls = 1 }
//# [expect]
//# result = '["CALL_LIMIT","the program made more than 1 tool calls and timers","fired"]'
const fired = new Promise((resolve) => setTimeout(resolve, 1, "fired"));
try {
  setTimeout(() => {}, 1);
} catch (error) {
  return [error.code, error.message, await fired];
}
