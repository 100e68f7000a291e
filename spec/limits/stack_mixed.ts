//# title = "recursion through functions of the program and built-in ones by turns is a stack overflow that can be caught"
//# [expect]
//# result = '["RangeError","RangeError","RangeError","RangeError","RangeError","RangeError","RangeError"]'
const nested = (n: number, last: () => unknown): unknown => (n === 0 ? last() : nested(n - 1, last));
const ends: string[] = [];
const attempt = (start: () => unknown) => { try { start(); } catch (error) { ends.push(error.name); } };
const sorting = (): unknown => nested(50, () => [2, 1].sort(() => (sorting(), 0)));
const mapping = (): unknown => nested(50, () => [1].map(mapping));
const reading = { get value(): unknown { return nested(50, () => reading.value); } };
const spreading = (...all: unknown[]): unknown => nested(50, () => spreading(...all, 1));
const making = class { constructor() { nested(50, () => Reflect.construct(making, [])); } };
function* generating(): Generator { yield nested(50, () => [...generating()]); }
const replacing = (): string => nested(50, () => "a".replace("a", replacing)) as string;
attempt(sorting);
attempt(mapping);
attempt(() => reading.value);
attempt(spreading);
attempt(() => new making());
attempt(() => [...generating()]);
attempt(replacing);
return ends;
