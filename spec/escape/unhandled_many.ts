//# title = "unhandled rejections are bounded"
//# tools = "demo"
//# [expect]
//# result = '16'
for (let i = 0; i < 1000; i++) Promise.reject(new Error("e" + i));
return 16;
