// What to use instead of the modules that programs ask for most and that are not here.

const NO_NETWORK = "there is no network here; call a tool";
const NO_FILES = "there is no file system here; call a tool, or keep data in variables and return it";
const NO_PROCESSES = "a program cannot start processes or threads; call a tool";
const NO_STREAMS = "there are no streams here; work with whole values";
const INSTEAD = {
  __proto__: null,
  fs: NO_FILES, "fs/promises": NO_FILES, "fs-extra": NO_FILES, glob: NO_FILES,
  os: "there is no operating system to ask here",
  http: NO_NETWORK, https: NO_NETWORK, http2: NO_NETWORK, net: NO_NETWORK, dns: NO_NETWORK, tls: NO_NETWORK,
  axios: NO_NETWORK, "node-fetch": NO_NETWORK, got: NO_NETWORK, undici: NO_NETWORK, request: NO_NETWORK,
  child_process: NO_PROCESSES, worker_threads: NO_PROCESSES, cluster: NO_PROCESSES,
  stream: NO_STREAMS, "stream/promises": NO_STREAMS, readline: "there is no input to read; a program gets data from tools",
  zlib: "compression is not available; call a tool",
  vm: "code cannot be made from text here", module: "modules cannot be made here; import the program's own files",
  string_decoder: "use TextDecoder with { stream: true }",
  async_hooks: "pass values as arguments instead",
  lodash: "use the methods of Array and Object, such as map, flatMap, Object.groupBy and structuredClone",
  underscore: "use the methods of Array and Object, such as map, flatMap, Object.groupBy and structuredClone",
  moment: "use Date", dayjs: "use Date", "date-fns": "use Date", luxon: "use Date",
  uuid: "use crypto.randomUUID()", nanoid: "use crypto.randomUUID()",
  dotenv: "there is no environment here, and process.env is empty",
  zod: "check values with typeof, or let the schemas of the tools do it",
  express: "a program serves no requests; it runs once and returns a value",
  chalk: "log plain text", bluebird: "use Promise", rxjs: "use async functions and generators",
  cheerio: "take HTML apart with regular expressions, or call a tool", jsdom: "this is not a browser",
  pg: "call a tool for databases", mysql2: "call a tool for databases", mongodb: "call a tool for databases",
};
