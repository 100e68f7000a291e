//# title = "a function whose frame is larger than the rest of the stack is a stack overflow at any depth"
//# [expect]
//# result = '["RangeError"]'
const wide = ((...all: unknown[]) => all.length).bind(null, ...new Array(60_000)).bind(null, ...new Array(60_000));
const seen = new Set<string>();
let asked = 0;
const deep = (): void => { try { deep(); } catch { if (asked++ < 20) { try { wide(); } catch (error) { seen.add(error.name); } } } };
deep();
return [...seen];
