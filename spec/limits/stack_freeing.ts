//# title = "dropping a value that is nested a million deep takes no stack"
//# [expect]
//# result = '1'
let deep: unknown = null;
for (let i = 0; i < 500_000; i++) deep = [deep];
deep = null;
return 1;
