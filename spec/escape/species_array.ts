//# title = "a species that gives something else does not confuse array functions"
//# [expect]
//# result = '["TypeError",[1,2],4]'
const name = (f: () => unknown) => { try { f(); return "none"; } catch (error) { return error.name; } };
class Frozen extends Array { static get [Symbol.species]() { return function () { return Object.freeze([]); } as any; } }
const list = Frozen.from([1, 2]) as any;
const target: any = [9, 9, 9, 9];
class Other extends Array { static get [Symbol.species]() { return function () { return target; } as any; } }
(Other.from([1, 2]) as any).map((x: number) => x);
return [name(() => list.map((x: number) => x)), target.slice(0, 2), target.length];
