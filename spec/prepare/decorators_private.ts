//# title = "decorators of private members work"
//# [expect]
//# result = '[["method #add","field #text","accessor #level","getter #twice"],3,"TEXT",[100,0],14,true,false]'
const log: string[] = [];
let reach: any;
const logged = (value: any, { kind, name }: DecoratorContext) => void log.push(`${kind} ${String(name)}`);
const upper = (_: undefined, context: ClassFieldDecoratorContext) => {
  logged(_, context);
  return (first: string) => first.toUpperCase();
};
const clamp = (max: number) => ({ get, set }: any, context: any) => {
  logged(get, context);
  reach = context.access;
  return { set(value: number) { set.call(this, Math.min(max, Math.max(0, value))); }, init: (value: number) => Math.min(max, value) };
};
const doubled = (get: any, context: any) => {
  logged(get, context);
  return function (this: any) { return 2 * get.call(this); };
};

class C {
  @logged #add(a: number, b: number): number { return a + b; }
  @upper #text = "text";
  @clamp(100) accessor #level = 150;
  @doubled get #twice() { return 7; }
  use() {
    const before = this.#level;
    this.#level = -5;
    return [this.#add(1, 2), this.#text, [before, this.#level], this.#twice];
  }
}
const c = new C();
return [log.sort((a, b) => order(a) - order(b)), ...c.use(), reach.has(c), reach.has({})];
function order(text: string) { return ["method #add", "field #text", "accessor #level", "getter #twice"].indexOf(text); }
