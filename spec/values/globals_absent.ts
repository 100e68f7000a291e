//# title = "what is not there is not there: typeof says undefined"
//# differsFromNode = "Node has them"
//# [expect]
//# result = '[]'
return [
  ["eval", typeof eval],
  ["Function", typeof Function],
  ["__dirname", typeof __dirname],
  ["__filename", typeof __filename],
  ["WebAssembly", typeof WebAssembly],
  ["Atomics", typeof Atomics],
  ["SharedArrayBuffer", typeof SharedArrayBuffer],
  ["CryptoKey", typeof CryptoKey],
  ["fetch", typeof fetch],
  ["XMLHttpRequest", typeof XMLHttpRequest],
  ["WebSocket", typeof WebSocket],
  ["window", typeof window],
  ["document", typeof document],
  ["navigator", typeof navigator],
  ["localStorage", typeof localStorage],
  ["location", typeof location],
  ["Deno", typeof Deno],
  ["Bun", typeof Bun],
  ["std", typeof std],
  ["os", typeof os],
  ["bjson", typeof bjson],
  ["print", typeof print],
  ["gc", typeof gc],
  ["scriptArgs", typeof scriptArgs],
  ["importScripts", typeof importScripts],
  ["Worker", typeof Worker],
  ["ShadowRealm", typeof ShadowRealm],
].filter(([, type]) => type !== "undefined");
