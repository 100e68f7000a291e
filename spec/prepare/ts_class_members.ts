//# title = "modifiers, index signatures and implements vanish from classes"
//# [expect]
//# result = '[1,"c",7,["name","x","z"]]'
interface Named { name: string }
class C implements Named {
  static readonly count: number = 1;
  [key: string]: unknown;
  public name = "c";
  private x?: number;
  declare y: string;
  protected z!: number;
  static #secret: number = 7;
  static get secret(): number { return C.#secret; }
}
return [C.count, new C().name, C.secret, Object.keys(new C())];
