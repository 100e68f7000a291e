//# title = "decorators of classes, methods, fields and accessors work"
//# [expect]
//# result = '[["class C","method add"],3,"TEXT",[100,0],true]'
const log: string[] = [];
const logged = (value: any, { kind, name }: DecoratorContext) => void log.push(`${kind} ${String(name)}`);
const upper = (_: undefined, context: ClassFieldDecoratorContext) => (first: string) => first.toUpperCase();
const clamp = (max: number) => ({ get, set }: any, context: any) => ({
  get() { return get.call(this); },
  set(value: number) { set.call(this, Math.min(max, Math.max(0, value))); },
  init: (value: number) => Math.min(max, value),
});

@logged
class C {
  @upper text = "text";
  @clamp(100) accessor level = 150;
  @logged
  add(a: number, b: number): number { return a + b; }
  self() { return C; }
}
const c = new C();
const before = c.level;
c.level = -5;
return [log.sort(), c.add(1, 2), c.text, [before, c.level], c.self() === C];
