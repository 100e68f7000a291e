//# title = "the stack of an error shows nothing of the host or of the prelude"
//# tools = "demo"
//# [expect]
//# result = 'false'
const stacks: string[] = [];
try { structuredClone(() => {}); } catch (error) { stacks.push(String(error.stack)); }
try { new URL("nonsense"); } catch (error) { stacks.push(String(error.stack)); }
try { setTimeout(1 as any); } catch (error) { stacks.push(String(error.stack)); }
try { (null as any).x; } catch (error) { stacks.push(String(error.stack)); }
return /\/(root|home|tmp|usr)\/|\.rs|\.c:|wasm/.test(stacks.join("\n"));
