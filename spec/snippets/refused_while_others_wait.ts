//# title = "calls that are refused when their turn comes leave it to the next ones"
//# [snippets]
//# square = 'return input * input'
//# [expect]
//# result = '[4,4,4,4,4,4,4,4,"NOT_FOUND","NOT_FOUND","NOT_FOUND","NOT_FOUND","NOT_FOUND","NOT_FOUND","NOT_FOUND","NOT_FOUND","NOT_FOUND","NOT_FOUND","NOT_FOUND","NOT_FOUND"]'
//# calls = [["codemode.run", "applied"], ["codemode.run", "applied"], ["codemode.run", "applied"], ["codemode.run", "applied"], ["codemode.run", "applied"], ["codemode.run", "applied"], ["codemode.run", "applied"], ["codemode.run", "applied"], ["codemode.run", "failed"], ["codemode.run", "failed"], ["codemode.run", "failed"], ["codemode.run", "failed"], ["codemode.run", "failed"], ["codemode.run", "failed"], ["codemode.run", "failed"], ["codemode.run", "failed"], ["codemode.run", "failed"], ["codemode.run", "failed"], ["codemode.run", "failed"], ["codemode.run", "failed"]]
const names = [...Array(8).fill("square"), ...Array(12).fill("missing")];
const settled = await Promise.allSettled(names.map((name) => codemode.run(name, 2)));
return settled.map((one: any) => one.value ?? one.reason.code);
