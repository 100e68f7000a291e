type Path<T, P extends string = ""> = T extends object ? { [K in keyof T & string]: Path<T[K], `${P}${P extends "" ? "" : "."}${K}`> }[keyof T & string] : P;
type ElementOf<T> = T extends readonly (infer U)[] ? U : never;
declare const unique: unique symbol;
type Branded<T, B> = T & { readonly [unique]?: B };
type CustomerId = Branded<string, "CustomerId">;
interface Shape { kind: "circle" | "square"; size: number }
interface Shape { color?: string }
declare global { interface Array<T> { neverUsed?: T } }
abstract class Base<in out T> {
  protected abstract parse(raw: unknown): T;
  public constructor(protected readonly raw: unknown, public label?: string) {}
  get value(): T { return this.parse(this.raw)!; }
}
class NumberField extends Base<number> { protected override parse(raw: unknown) { return Number(raw as string); } }
const id = "cus_002" as CustomerId;
const customer = await tools.crm.customers.get({ id: id! as string });
function area(this: void, { kind, size }: Shape, scale: number = 1, ...rest: readonly number[]): number {
  return kind === "circle" ? Math.round(Math.PI * size ** 2 * scale) : size * size * scale + rest.length;
}
const shapes = [{ kind: "circle", size: 2 }, { kind: "square", size: 3, color: "red" }] as const satisfies readonly Shape[];
let assigned!: ElementOf<typeof shapes>["kind"];
assigned = shapes[1]!.kind;
const p: Path<{ a: { b: string } }> = "a.b";
const generic = <T extends { name: string },>(x: T): T["name"] => x.name;
return { name: generic(customer), areas: shapes.map((s) => area(s)), assigned, p, field: new NumberField("42", "x").value, label: new NumberField("1")?.label, cast: <number><unknown>"5" };
