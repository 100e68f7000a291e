//# title = "a call never throws at once: it rejects"
//# tools = "demo"
//# [expect]
//# result = '[false,true,"SERIALIZATION"]'
let thrown = false;
let call;
try {
  call = tools.demo.echo({ n: 1n });
} catch {
  thrown = true;
}
const code = await call!.catch((error: any) => error.code);
return [thrown, call instanceof Promise, code];
