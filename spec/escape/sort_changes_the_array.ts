//# title = "a comparator that changes the array does not crash"
//# differsFromNode = "the engine does not write back elements that stay where they were"
//# [expect]
//# result = '[200,false]'
const list: unknown[] = Array.from({ length: 200 }, (_, i) => ({ i: (i * 7919) % 200 }));
list.sort((a: any, b: any) => { list.length = 0; list.push({}); return a.i - b.i; });
return [list.length, (list as any).every((one: any, at: number) => one.i === at)];
