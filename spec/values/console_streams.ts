//# title = "what is written to a stream is logged by the line, and at the latest when the program waits"
//# tools = "demo"
//# [expect]
//# logs = [["log", "...done"], ["log", "ab"], ["log", "c"], ["error", "de"], ["log", "x\ny"], ["log", "z"], ["log", "end"]]
//# result = 'null'
//# calls = [["demo.echo", "applied"]]
for (let step = 0; step < 3; step++) process.stdout.write(".");
process.stdout.write("done\n");
process.stdout.write("a");
console.log("b");
process.stdout.write("c");
process.stderr.write("d");
console.error("e");
process.stdout.write("x\ny\nz");
await tools.demo.echo({});
process.stdout.write("end");
return null;
