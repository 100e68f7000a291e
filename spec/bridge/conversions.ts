//# title = "converting tools to text or a number makes no call"
//# tools = "demo"
//# [expect]
//# result = '["[object Function]","[object Function]",null,"[object Function]",true]'
//# warnings = ["`2` is NaN, which JSON does not have, and was returned as null"]
return [`${tools}`, String(tools.demo), +tools, tools.demo.echo + "", Number.isNaN(Number(tools))];
