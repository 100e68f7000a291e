//# title = "a program has all of its memory, whatever ran before it"
//# limits = { memory = "8MiB" }
//# [expect]
//# result = '5242880'
return new Uint8Array(5 << 20).length;
