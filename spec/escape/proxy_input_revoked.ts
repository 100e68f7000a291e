//# title = "a revoked Proxy as an input is SERIALIZATION"
//# tools = "demo"
//# [expect]
//# result = '"SERIALIZATION"'
const { proxy, revoke } = Proxy.revocable({}, {});
revoke();
return await tools.demo.echo(proxy).catch((error) => error.code);
