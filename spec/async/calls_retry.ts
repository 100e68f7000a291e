//# title = "a call may be tried again"
//# tools = "demo"
//# [expect]
//# calls = [["demo.fail", "failed"], ["demo.fail", "failed"]]
//# result = '["done",3]'
let tries = 0;
async function attempt(): Promise<string> {
  tries++;
  try {
    return tries < 3 ? await tools.demo.fail({ message: "again" }) : "done";
  } catch {
    return attempt();
  }
}
return [await attempt(), tries];
