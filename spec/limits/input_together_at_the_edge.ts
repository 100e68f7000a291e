//# title = "inputs of calls that wait for their answers may be eight times the limit together"
//# tools = "demo"
//# limits = { input = 1000 }
//# [expect]
//# result = '8'
//# calls = [["demo.echo", "applied"], ["demo.echo", "applied"], ["demo.echo", "applied"], ["demo.echo", "applied"], ["demo.echo", "applied"], ["demo.echo", "applied"], ["demo.echo", "applied"], ["demo.echo", "applied"]]
const input = "x".repeat(998); // 1,000 bytes of JSON
return (await Promise.all(Array.from({ length: 8 }, () => tools.demo.echo(input)))).length;
