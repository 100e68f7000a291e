const calls: string[] = [];
function logged<This, Args extends any[], R>(target: (this: This, ...args: Args) => R, { name, kind, static: isStatic }: ClassMethodDecoratorContext) {
  return function (this: This, ...args: Args): R {
    calls.push(`${isStatic ? "static " : ""}${kind} ${String(name)}(${args.join(", ")})`);
    return target.call(this, ...args);
  };
}
const registry = new Map<string, Function>();
const register = (key: string) => (cls: Function, _ctx: ClassDecoratorContext) => void registry.set(key, cls);
const upper = (_: undefined, ctx: ClassFieldDecoratorContext) => (initial: string) => initial.toUpperCase();

@register("service")
class Service {
  @upper title = "service";
  @logged add(a: number, b: number) { return a + b; }
  @logged static create() { return new Service(); }
}
const s = Service.create();
const { rollout } = await tools.flags.get({ key: "new-checkout" });
return { sum: s.add(rollout, 2), calls, title: s.title, registered: registry.get("service") === Service };
