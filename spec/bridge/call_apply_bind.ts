//# title = "call, apply and bind are paths like any other"
//# tools = "demo"
//# [expect]
//# result = '["UNKNOWN_TOOL","INVALID_INPUT","UNKNOWN_TOOL","UNKNOWN_TOOL"]'
//# calls = [["demo.echo.call", "failed"], ["demo.echo.bind", "failed"], ["demo.echo.constructor", "failed"]]
const code = (error: any) => error.code;
return [
  await tools.demo.echo.call({}).catch(code),
  await tools.demo.echo.apply(null, [{}]).catch(code),
  await tools.demo.echo.bind(null).catch(code),
  await tools.demo.echo.constructor("return 1").catch(code),
];
