//# title = "a timer that was cleared has been counted"
//# tools = "demo"
//# limits = { calls = 3 }
//# [expect]
//# result = '"CALL_LIMIT"'
for (let i = 0; i < 3; i++) clearTimeout(setTimeout(() => {}, 1000));
return await tools.demo.echo({}).catch((error) => error.code);
