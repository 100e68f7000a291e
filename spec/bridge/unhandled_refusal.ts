//# title = "an unhandled refusal of a call is a line in the log"
//# checks = "off"
//# tools = "demo"
//# [expect]
//# result = '1'
//# logs = [["error", "unhandled rejection: InvalidInputError: tools.demo.echo takes one argument, an object; it was given 2"]]
tools.demo.echo(1, 2);
return 1;
