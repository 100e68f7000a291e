//# title = "odd delays count as 0"
//# [expect]
//# result = '["undefined","NaN","-5","x","null","1"]'
const seen: string[] = [];
for (const delay of [undefined, NaN, -5, "x", null, "1"]) await new Promise<void>((resolve) => setTimeout(() => { seen.push(String(delay)); resolve(); }, delay as any));
return seen;
