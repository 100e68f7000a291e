//# title = "what fits in the memory limit beside the engine works"
//# limits = { memory = "4MiB" }
//# [expect]
//# result = '1048576'
return new Uint8Array(1 << 20).fill(7).length;
