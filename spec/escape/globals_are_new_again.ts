//# title = "nothing that another program left behind is there, in the other direction"
//# [expect]
//# result = '[null,null,"function","function",1]'
const before = [(globalThis as any).mark ?? null, (Math as any).mark ?? null, typeof Array.prototype.map, typeof Promise.prototype.then];
(globalThis as any).mark = (Math as any).mark = 1;
delete (Array.prototype as any).map;
delete (Promise.prototype as any).then;
Array.prototype.push = () => 0;
return [before[0], before[1], before[2], before[3], 1];
