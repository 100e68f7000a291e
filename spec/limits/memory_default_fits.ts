//# title = "60 MiB fit into the default of 64 MiB beside the engine"
//# [expect]
//# result = '62914560'
return new Uint8Array(60 << 20).fill(1).length;
