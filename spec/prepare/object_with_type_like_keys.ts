//# title = "keys that look like types stay"
//# [expect]
//# result = '[1,2,3,1,6,4,5]'
const as = 1;
const o = { type: 1, interface: 2, enum: 3, as, satisfies(x: number): number { return x; }, get readonly() { return 4; }, async public() { return 5; } };
return [o.type, o.interface, o.enum, o.as, o.satisfies(6), o.readonly, await o.public()];
