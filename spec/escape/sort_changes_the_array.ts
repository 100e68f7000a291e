//# title = "a comparator that changes the array does not crash"
//# [expect]
//# result = 'true'
const list: unknown[] = Array.from({ length: 200 }, (_, i) => ({ i: (i * 7919) % 200 }));
list.sort((a: any, b: any) => { list.length = 0; list.push({}); return a.i - b.i; });
return list.length === 200 || list.length >= 1;
