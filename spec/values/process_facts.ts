//# title = "process has a version and texts as variables, and says why the rest is not there"
//# differsFromNode = "Node has a command line, and another version"
//# [expect]
//# result = '["v24","v24.0.0",{"A":"1","B":"undefined"},["A","B"],["process.memoryUsage is not available: a program does not see how much memory it takes; the host limits it","util.parseArgs is not available: a program has no command line; write the options as an object","path.win32 is not available: paths have forward slashes here, as in `path.posix`"],[true,false]]'
Object.assign(process.env, { A: 1, B: undefined });
console.clear();
const told: string[] = [];
for (const ask of [() => process.memoryUsage(), () => require("util").parseArgs({}), () => require("path").win32.join("a")]) {
  try {
    ask();
  } catch (error: any) {
    told.push(error.message);
  }
}
const { isProxy } = require("util").types;
return [
  process.version.split(".")[0],
  `v${process.versions.node}`,
  { ...process.env },
  Object.keys(process.env),
  told,
  [isProxy(new Proxy({}, {})), isProxy({})],
];
