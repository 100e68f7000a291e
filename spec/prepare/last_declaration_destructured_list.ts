//# title = "a last statement that takes items out of an awaited list gives them"
//# [expect]
//# result = '[1,"b"]'
async function first(): Promise<number> { return 1; }
const [one, two] = await Promise.all([first(), "b"]);
