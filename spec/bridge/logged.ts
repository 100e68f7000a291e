//# title = "logging tools shows a function, and makes no call"
//# tools = "demo"
//# [expect]
//# result = '1'
//# logs = [["log", "[Function (anonymous)] {\"a\":[Function (anonymous)]}"]]
console.log(tools, { a: tools.demo.echo });
return 1;
