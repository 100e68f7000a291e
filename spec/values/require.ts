//# title = "require gives the pure modules of Node, with or without the prefix"
//# [expect]
//# result = '["a/c.txt","{ a: [ 1, 2 ] }","900150983cd24fb0d6963f7d28e17f72",{"q":"x y"},true]'
const path = require("path");
const { inspect } = require("node:util");
const { createHash } = require("crypto");
const { EventEmitter, once } = require("events");
const emitter = new EventEmitter();
setTimeout(() => emitter.emit("done", true), 1);
return [
  path.join("a", "b", "..", "c.txt"),
  inspect({ a: [1, 2] }),
  createHash("md5").update("abc").digest("hex"),
  { ...require("querystring").parse("q=x+y") },
  (await once(emitter, "done"))[0],
];
