//# title = "await of a promise takes one tick, of a thenable more"
//# [expect]
//# result = '["promise","value","thenable"]'
const seen: string[] = [];
(async () => { await Promise.resolve(); seen.push("promise"); })();
(async () => { await { then(r: any) { r(); } }; seen.push("thenable"); })();
(async () => { await 1; seen.push("value"); })();
for (let i = 0; i < 5; i++) await null;
return seen;
