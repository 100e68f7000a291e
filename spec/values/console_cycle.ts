//# title = "a value that refers to itself can be logged"
//# [expect]
//# logs = [["log", "{\"n\":1,\"self\":[Circular]}"]]
//# result = 'null'
const a: any = { n: 1 };
a.self = a;
console.log(a);
return null;
