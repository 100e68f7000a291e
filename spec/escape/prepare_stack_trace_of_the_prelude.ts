//# title = "Error.prepareStackTrace gets no function that is not the program's: those of the prelude cannot be reached"
//# notUnderNode = "Node shows its own frames"
//# [expect]
//# result = '[]'
//# logs = [["log", "{}"]]
(Error as any).prepareStackTrace = (_: Error, sites: any[]) => sites;
const foreign: string[] = [];
const look = (f: () => unknown) => {
  try {
    f();
  } catch (error) {
    for (const site of error.stack) if (!site.isNative() && site.getFileName() !== "main.ts") foreign.push(site.getFunctionName());
  }
};
look(() => structuredClone(() => {}));
look(() => new URL("nonsense"));
look(() => console.log(new Proxy({}, { ownKeys() { look(() => { throw new Error(); }); return []; } })));
return foreign;
