//# title = "the stack of an error shows the program, and nothing of the host or of the prelude"
//# differsFromNode = "stacks of Node show its own files"
//# [expect]
//# result = '["    at <anonymous> (main.ts:6:7)\n","TypeError: Invalid URL: \"nonsense\"\n    at <anonymous> (main.ts:7:11)","TypeError: cannot read \"x\" of null\n    at <anonymous> (main.ts:8:21)"]'
const stacks: string[] = [];
try { structuredClone(() => {}); } catch (error) { stacks.push(error.stack); }
try { new URL("nonsense"); } catch (error) { stacks.push(error.stack); }
try { (null as any).x; } catch (error) { stacks.push(error.stack); }
return stacks;
