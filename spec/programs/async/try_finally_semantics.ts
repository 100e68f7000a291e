const trace: string[] = [];
function sync(): string {
  try {
    trace.push("try");
    return "from try";
  } finally {
    trace.push("finally");
  }
}
function override(): string {
  try {
    throw new Error("lost");
  } catch {
    return "from catch";
  } finally {
    // eslint-disable-next-line no-unsafe-finally
    return "from finally";
  }
}
async function cleanup() {
  for (const source of ["offline", "cache"]) {
    try {
      const { from } = await tools.mirror.fetch({ source });
      return from;
    } catch (e: any) {
      trace.push(e.message);
      continue;
    } finally {
      trace.push(`closed ${source}`);
    }
  }
}
const label = (() => { outer: { try { break outer; } finally { trace.push("left block"); } } return "after"; })();
return { a: sync(), b: override(), c: await cleanup(), label, trace };
