//# title = "Buffer converts between text and bytes"
//# [expect]
//# result = '["aGVsbG8gd8O2cmxk","68656c6c6f","hello",true,5,{"type":"Buffer","data":[104,105]}]'
return [
  Buffer.from("hello wörld").toString("base64"),
  Buffer.from("hello").toString("hex"),
  Buffer.from("aGVsbG8=", "base64").toString("utf8"),
  Buffer.from("a") instanceof Uint8Array,
  Buffer.concat([Buffer.from("ab"), Buffer.from("cde")]).length,
  Buffer.from("hi"),
];
