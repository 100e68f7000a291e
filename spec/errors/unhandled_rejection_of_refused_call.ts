//# title = "a call that was refused and never looked at is a line in the log"
//# checks = "off"
//# tools = "demo"
//# [expect]
//# logs = [["error", "unhandled rejection: SerializationError: the input of tools.demo.echo is not JSON: `n` is a BigInt; convert it with String(…) or Number(…)"]]
//# result = '1'
tools.demo.echo({ n: 1n });
return 1;
