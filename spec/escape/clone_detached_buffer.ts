//# title = "a buffer that is already transferred cannot be transferred again"
//# [expect]
//# result = '"DataCloneError"'
const buffer = new ArrayBuffer(8);
structuredClone(buffer, { transfer: [buffer] });
try { structuredClone(buffer, { transfer: [buffer] }); return "none"; } catch (error) { return error.name; }
