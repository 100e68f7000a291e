//# title = "an async function that fails and is not awaited is a line in the log"
//# [expect]
//# logs = [["error", "unhandled rejection: Error: lost"]]
//# result = '1'
async function fails() {
  await null;
  throw new Error("lost");
}
fails();
await null;
await null;
return 1;
