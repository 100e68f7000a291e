// Makes the TypeScript corpus: bodies of async functions, each next to a hazard of erasing types in place.
//
// Line breaks matter most: an erased type, modifier or statement must neither join its neighbours nor part them.

/** All cases, in a fixed order. */
export function cases() {
  return [...new Set([...statements(), ...members(), ...assertions(), ...arrows(), ...enums(), ...namespaces(), ...properties(),
    ...decorators(), ...OTHERS])];
}

const HEADS = [
  "let a: any = b", "let a = b as any", "let a = b satisfies any", "let a = <any>b", "let a = b!", "let a: any", "var a = b as { x: 1 }",
  "a = b as any", "a = b!", "b as any", "b!", "<any>b", "(b as any)", "type T = number", "type T = { x: 1 }", "interface I { x: number }",
  "declare let q: number", "declare function g(): void", "declare class D {}", "declare namespace Z {}", "abstract class K {}",
  "enum E { X }", "const enum E { X = 4 }", "namespace N { export const x = 1 }", "namespace N { export type T = 1 }", "a = f<number>",
  "const z = (x: number): number => x", "const z = async <T,>(x: T): Promise<T> => x", "class C { x: number }",
  "class C { x = b as any }", "class C<T> extends Object {}", "for (const x of [b] as any[]) a = x", "if (b as any) a = 2",
  "do a = 2; while (b as any && false)", "function g(x: number): number { return x }", "function g(x?: any): void; function g(x) {}",
  "if (b) a = 3; else a = b as any", "a = b as any as number", "a = { b } as any", "a = [b] as const", "a = `t` as any",
  "a = function (): void {} as any", "a = class {} as any", "a = b as string | undefined", "a = b as typeof b", "a = b as any[]",
  "a = b as () => void",
];

const TAILS = [
  "(1)", "[0]", "`t`", "/1/g", "+ 1", "- 1", "++c", "--c", "!c", "~c", "{ c = 5 }", "async () => 1", "class Z {}", "'text'", "<any>1",
  ".x", "?.x", "? 1 : 2", "&& 2", "= 3", "in {}", "instanceof Object", "as any", "satisfies any", "!", "* 2", ", c", "new Object", "await 1",
  "type U = 1", "let d = 1", "function e() {}", "(c)++", "[c] = [4]", "enum Q { A }", "typeof c", "=> 1", "of", "=== 1",
];

const BEFORE = "let b: any = Object.assign((x: any) => 7, { x: 8, 0: 9 }), c: any = 1, f: any = b;";

/** A statement that ends with something to erase, and what follows it after each kind of line break. */
function* statements() {
  for (const head of HEADS) {
    for (const tail of TAILS) {
      for (const between of ["\n", "\n// note\n", " "]) {
        if (between === "\n" || (TAILS.indexOf(tail) + HEADS.indexOf(head)) % 7 === 0) {
          const a = /^(let|var|const) a\b/.test(head) ? "" : "let a: any = 0;";
          yield `${BEFORE}${a}\n${head}${between}${tail}\nreturn show([a, c])`;
        }
      }
    }
  }
}

const NAMES = ["get", "set", "static", "async", "accessor", "declare", "readonly", "public", "abstract", "override", "in", "type", "x", "'get'", "[`k`]", "7"];
const SUFFIXES = ["", ": any", "?", "?: any", "!: any", " = 1", ": any = 1", " = 1 as any", " = <any>1", " = 1!"];
const MODIFIERS = ["", "static ", "readonly ", "private ", "public static readonly ", "declare "];
const NEXT = [
  "y() { return 1 }", "*y() {}", "['y']() { return 1 }", "get y() { return 1 }", "static y = 1", "'y'() { return 1 }", "#p = 1",
  "[key: string]: any", "in() {}", "y = 2", "async y() {}", "static { }", "declare y: number", "constructor(public y = 1) {}", "set y(v: any) {}",
  "y(): void\n  y() { return 1 }", "private y?: any", "readonly ['y'] = 2", "static async *y() {}", "protected static get y() { return 1 }",
];

/** A member of a class, and the one after it. */
function* members() {
  let number = 0;
  for (const name of NAMES) {
    for (const suffix of SUFFIXES) {
      for (const modifier of MODIFIERS) {
        for (const next of NEXT) {
          number++;
          const isHazard = ["get", "set", "static"].includes(name) && modifier === "" && suffix.includes("any");
          if (!isHazard && number % 17 !== 0) continue;
          for (const end of isHazard ? ["\n", ";\n"] : [number % 2 ? "\n" : ";\n"]) {
            yield `class C {\n  ${modifier}${name}${suffix}${end}  ${next}\n}\nreturn shape(C)`;
          }
        }
      }
    }
  }
}

const OPERATORS = ["+", "-", "*", "/", "%", "**", "<<", ">>", ">>>", "<", ">", "<=", "==", "===", "&", "|", "^", "&&", "||", "??", "in", "instanceof", ","];

/** Type assertions between operators: `as` binds like `<`, and what follows may bind tighter. */
function* assertions() {
  for (const left of OPERATORS) {
    for (const right of OPERATORS) {
      yield `const x: any = 3, y: any = 2;\nreturn show([x ${left} y as any ${right} y])`;
    }
  }
  for (const operator of OPERATORS) {
    if (operator !== "**") yield `const x: any = 3, y: any = 2;\nreturn show([-x as any ${operator} y as any])`;
    yield `const x: any = 3, y: any = 2;\nreturn show([x ${operator} y satisfies any as any ${operator} x as any])`;
    yield `const x: any = 3, y: any = 2;\nreturn show([<any>x ${operator} <any>y, x! ${operator} y!])`;
  }
}

/** Arrow functions with erased parts in every place where a line break can be. */
function* arrows() {
  const breaks = ["", "\n", "/* note */", "// note\n"];
  for (const first of breaks) {
    for (const second of breaks) {
      yield `const f = (x: number${first}): ${second}number => x + 1; return show(f(1))`;
      yield `const f = async (x: number)${first.includes("\n") ? "" : first}: Promise<${second}number> => x + 1; return show(await f(1))`;
      yield `const f = <${first}T,>(x: T)${""}: ${second}T => x; return show(f(1))`;
      yield `const f = async <${first}T${second}>(x: T): Promise<T> => x; return show(await f(1))`;
      yield `const f = (x: {${first}a: 1${second}}) => x; return show(f({ a: 1 }))`;
      yield `const f = (${first}x?: any,${second}...y: any[]): { a: any } => ({ a: [x, y] }); return show(f(1, 2))`;
      yield `return show([1].map((x): ${first}x is ${second}1 => true))`;
      yield `function* g(): any { yield <${first}any>${second}1 } return show([...g()])`;
      yield `const f = () => <${first}any>${second}{ a: 1 }; return show(f())`;
      yield `return <${first}any>${second}show(1)`;
      yield `const f = <T,>(x: T) => x, g = f<${first}number${second}>; return show(g(1))`;
      yield `const y: any = true; return show(y ? (x: any)${first.includes("\n") ? "" : first}: any => ${second}x : 2)`;
    }
  }
}

/** Enums: every kind of initialiser, and what the next member makes of it. */
function* enums() {
  const values = ["1", "-1", "+'5'", "1 << 3", "'a'", "`b`", "'a' + 'b'", "'abc'.length", "A0", "E.A0", "E['A0']", "0x10", "1_000", "1e3", "NaN", "Infinity",
    "1 / 0", "~1", "-'3'", "(2)", "2 as number", "<number>3", "Math.max(1, 2)", "'\\ud800'", "'\\u{1f600}'", "`x${1}y`", "1 + A0", "A0 + 'x'", "undefined as any",
    "null as any", "2 ** 10", "7 % 4", "1 | 2", "A0 ? 1 : 2"];
  for (const value of values) {
    yield `enum E { A0 = 2, B = ${value}, C = 5 }\nreturn show(E)`;
    yield `enum E { A0 = 2, B = ${value} }\nenum E { D = 9 }\nreturn show([E, E.B, E.D])`;
    yield `enum E { A0 = 2,\n  B = ${value} // note\n  , C = 5, }\nreturn show(E)`;
  }
  for (const value of ["1", "-1", "1 << 3", "A0", "E.A0", "0x10", "~1", "1.5"]) {
    yield `enum E { A0 = 2, B = ${value}, C }\nreturn show(E)`;
    yield `const enum E { A0, B = ${value}, C, "d-e", 'f' = 3, g }\nreturn show([E.B, E.C, E["d-e"], E.g])`;
  }
  for (const name of ["A", "'a b'", "'1'", "default", "get", "await", "'\\ud800'", "toString", "__proto__", "constructor", "let", "static", "enum", "['x']", "[`y`]"]) {
    yield `enum E { ${name} = 3, Z }\nreturn show(Object.entries(E))`;
  }
  yield* ["export", "const", "declare", "export const"].map((modifier) => `${modifier} enum E { A = 1 }\nreturn show(1)`).filter((text) => !text.startsWith("export"));
  yield "enum A { X = 1 } enum B { Y = A.X, Z } return show([A, B])";
  yield "{ enum E { A } } { enum E { A = 'b' } }\nreturn show(1)";
  yield "function f() { enum E { A = 1 } return E } return show([f(), f() === f()])";
  yield "enum E { A = 1, B = A, C = B + A } return show([E[1], E[2], E])";
  yield "const x = 5; enum E { x = 1, y = x } return show([E, x])";
}

/** Namespaces: exports that change, parts that are merged, and shadowing. */
function* namespaces() {
  yield* [
    "namespace C { export let n = 0; export const inc = () => ++n } C.inc(); return show([C.n, C.inc(), C])",
    "namespace C { export let n = 0; export function set(v: number) { n = v } } C.set(4); C.n++; return show([C.n])",
    "namespace C { export var a = 1, b = a + 1; var c = b; export { } } return show(Object.keys(C))",
    "namespace A { export const x = 1 } namespace A { export const y = x + 1 } return show(A)",
    "namespace A { export function f() { return 1 } } namespace A { export const g = () => f() + 1 } return show([A.f(), A.g()])",
    "namespace A { export class K { v = 1 } } namespace A { export const k = new K() } return show(A.k)",
    "namespace A { export enum E { X = 3 } } namespace A { export const e = E.X } return show([A.e, A.E])",
    "namespace A { export namespace B { export const c = 1 } } namespace A.B { export const d = c + 1 } return show(A)",
    "namespace A.B.C { export const d = 1 } namespace A.B { export const e = C.d } return show(A)",
    "namespace A { const x = 1; export const y = () => x } namespace A { const x = 2; export const z = () => x } return show([A.y(), A.z()])",
    "class K { static a = 1 } namespace K { export const b = K.a + 1 } return show([K.a, K.b])",
    "function f() { return f.n } namespace f { export let n = 3 } f.n = 4; return show(f())",
    "enum E { A } namespace E { export const of = (x: number) => E[x] } return show([E.A, E.of(0)])",
    "namespace A { export const { a, b: [c], ...d } = { a: 1, b: [2], e: 3 } } return show(A)",
    "namespace A { export type T = number; export interface I {} } return show(typeof 1)",
    "namespace A { export type T = number } namespace A { export const x: T = 1 } return show(A)",
    "namespace A { export declare const x: number; export const y = 2 } return show(A)",
    "namespace A { export async function f() { return 1 } export function* g() { yield 2 } } return show([await A.f(), [...A.g()]])",
    "namespace A { export let y = 0; for (const k of [1, 2]) y += k; if (y) { y *= 2 } } return show(A.y)",
    "namespace A { export abstract class B { abstract f(): void; g() { return 1 } } } return show(typeof A.B)",
    "namespace A { export import B = A.C; export namespace C { export const d = 1 } } return show(Object.keys(A))",
    "namespace A { export namespace C { export const d = 1 } export import B = C; } return show(A.B.d)",
    "namespace N { export const x = 5 } import a = N.x; return show(a)",
    "namespace N { export type T = 5 } import T = N.T; let t: T = 5; return show(t)",
    "namespace A { export const x = 1\n}\n(1)\nreturn show(A)",
    "namespace A { export let x = 1 as any\n;[2].map(v => x += v) }\nreturn show(A)",
    "namespace Object2 { export const Object = 1; export const keys = 2 } return show(Object2)",
    "namespace A { export let a = 1, b = a++ } return show([A.a, A.b])",
    "namespace A { export let a = 1; { let a = 2; a++ } } return show(A)",
    "namespace A { export let a = 1; export const f = (a: number) => a + 1; export const g = () => { a = 9; return a } } return show([A.f(3), A.g(), A.a])",
    "namespace A { export let o = { a: 1 }; export const set = () => { ({ a: o.a } = { a: 7 }); return o } } return show(A.set())",
    "namespace A { export let n = 1; export const bump = () => { [n] = [n + 1]; return n } } return show([A.bump(), A.n])",
    "namespace A { export let n = 1; export const bump = () => { for (n of [5, 6]); return n } } return show([A.bump(), A.n])",
    "namespace A { export let n = 1 } namespace A { export const get = () => A.n } A.n = 2; return show(A.get())",
    "namespace A { export let n = 1 } namespace A { export const get = () => n } A.n = 2; return show(A.get())",
    "namespace A { export let n = 1 } namespace A { export const set = () => { n = 5; n++; ({ n } = { n: n + 1 }); [n] = [n + 1]; for (n of [n + 1]); return { n, m: n } } } return show([A.set(), A.n])",
    "namespace A { export let n = 1 } namespace A { export const set = () => { ({ n = 3 } = {} as any); return typeof n } } return show([A.set(), A.n])",
    "namespace A { export let n = 1 } namespace A { export const f = (n: number) => n + 1 } return show(A.f(4))",
    "namespace A { export let n = 1 } namespace A { export const f = (m: number) => { { let n = 7; m += n } return n + m } } return show(A.f(4))",
    "namespace A { export let n = 1 } namespace A { export namespace B { export const f = () => n } } return show(A.B.f())",
    "namespace A { export let n = 1 } namespace A { export namespace B { export enum E { X = 2 } } export const f = () => n } return show(A.f())",
    "namespace A { export let f = () => 3, o = { p: 1 } } namespace A { export const g = () => f() + o.p + o['p'] + `${o.p}`; o.p++ } return show(A.g())",
    "namespace A.B { export let n = 1 } namespace A.B { export const bump = () => ++n } return show([A.B.bump(), A.B.n])",
    "namespace A { export let n = 1; export const C = 2 } namespace A { type T = typeof n; export class K { v: T = n; w = C } } return show(new A.K())",
    "namespace A { function A() { return 1 } export const x = A() } return show(A)",
    "namespace A { export class A { static z = 1 } } return show(A.A.z)",
    "namespace A { export enum B { C = 1 } export enum B { D = C + 1 } } return show(A)",
    "namespace A {} return show(typeof A)", "declare namespace A { const x: number } return show(typeof 1)",
    "namespace A { 'use strict'; export const t = (function (this: any) { return this })() } return show(A.t === undefined)",
    "namespace A { return_: for (;;) { break return_ } export const x = 1 } return show(A)",
    "{ namespace A { export const x = 1 } } return show(1)",
    "namespace A { export const $ = 1, $$ = 2, $$v = 3 } return show(A)",
    "module A { export const x = 1 } return show(A)",
  ];
}

/** Parameter properties, and fields that look at them. */
function* properties() {
  const parameters = ["public a: number", "private a = 2", "readonly a?: number", "protected readonly a: any = { b: 1 }", "public override a: any", "a: number, private b = a"];
  const bodies = ["{}", "{ this.c = 1 }", "{ 'use strict'; this.c = 2 }", "{\n// note\n}", "{ if (!a) return; this.c = 3 }"];
  for (const parameter of parameters) {
    for (const body of bodies) {
      yield `class P { c: any; constructor(${parameter}) ${body} }\nreturn show(new P(5))`;
      yield `class Q { q = 1 }\nclass P extends Q { c: any\n constructor(${parameter}) { super(); ${body.slice(1)} }\nreturn show(new P(5))`;
    }
    yield `class P { d = 1; constructor(${parameter}\n, public z = 3) {} e = 2 }\nreturn show(Object.keys(new P(5)))`;
    yield `return show(new (class { constructor(${parameter}) {} })(5))`;
  }
  yield "class P { y = (this as any).a; constructor(public a: number) {} } return show(new P(5))";
  yield "class Q { constructor(public b: any) {} } class P extends Q { constructor(public a: number) { const t = a + 1; super(t); this.a++ } } return show(new P(5))";
  yield "class P { constructor(public get: number, public set = 2, readonly static1 = 3) {} } return show(new P(1))";
  yield "class P { constructor(private x: number); constructor(private x: any, private y?: any) {} } return show(new P(1))";
}

const DECORATING = `const log: any[] = [];
const dec = (name: string): any => { log.push("made " + name); return (value: any, context: any) => {
  log.push([name, typeof value, context.kind, String(context.name), context.static, context.private]);
  context.addInitializer(function (this: any) { log.push(["added", name, typeof this]) });
} };
const wrap = (value: any, context: any): any => {
  if (context.kind === "field") return (first: any) => [first, "f"];
  if (context.kind === "accessor") return { get(this: any) { return ["g", value.get.call(this)] }, set(this: any, v: any) { value.set.call(this, v + 1) }, init: (first: any) => first + 10 };
  if (context.kind === "class") return undefined;
  return function (this: any, ...rest: any[]) { return ["w", value.apply(this, rest)] };
};
`;

/** Decorators: what they are given, when they run, and what becomes of what they return. */
function* decorators() {
  const elements = ["m() { return 1 }", "static m() { return 2 }", "get g() { return 3 }", "set g(v: any) { log.push(v) }", "f = 4", "f: any", "static f: any = 5", "accessor a = 6",
    "static accessor a: number = 7", "accessor a: any", "async m() { return 8 }", "*m() { yield 9 }", "['k' + 1]() { return 10 }", "['k' + 1] = 11", "'s t'() { return 12 }", "13() { return 13 }",
    "public readonly f?: any = 14", "private static async m() { return 15 }", "f = () => 16", "f = function () {}", "protected get [`g`]() { return 17 }", "declare2 = 18"];
  const use = "const made: any = new (C as any)(); const values = [...Reflect.ownKeys(made), ...Reflect.ownKeys(C.prototype), ...Reflect.ownKeys(C)].map(String).sort();";
  const take = "const taken = [made.f, made.a, C.f, C.a, made.g, made.m?.(), (C as any).m?.()];".replaceAll("C.", "(C as any).");
  for (const element of elements) {
    yield `${DECORATING}class C { before = 0\n  @dec("x") ${element}\n  after = 1 }\n${use}${take}return show([log, values, taken])`;
    yield `${DECORATING}class C {\n  @wrap\n  ${element} }\n${use}${take}return show([log, values, taken])`;
    yield `${DECORATING}class C { @dec("x") @wrap @dec("y") ${element} }\n${use}return show([log, values])`;
    yield `${DECORATING}@dec("c")\nclass C { @dec("x") ${element} }\n${use}return show([log, values, C.name])`;
  }
  yield `${DECORATING}class C { @dec("a") a = 1; @dec("b") static b = 2; @dec("c") c() {} @dec("d") static d() {} @dec("e") accessor e = 3; @dec("f") static accessor f = 4; @dec("g") get g() { return 1 } [log.push("key") as any] = 1 }\n${use}return show(log)`;
  yield `${DECORATING}@dec("k1") @dec("k2") class C { static s = log.push("static"); static { log.push("block") } @dec("m") m() {} constructor(public p = 1) { log.push("made") } }\n${use}return show(log)`;
  yield `${DECORATING}class B { constructor() { log.push("base") } }\nclass C extends B { @dec("f") f = log.push("field"); @dec("m") m() {} constructor() { log.push("before"); super(); log.push("after") } }\n${use}return show(log)`;
  yield `${DECORATING}const replace = (value: any): any => class extends value { added = 1 };\n@replace class C { own = 2; self() { return C } }\nconst made: any = new C(); return show([made.added, made.own, made.self() === C, C.name])`;
  yield `${DECORATING}const bound = (value: any, context: any) => { context.addInitializer(function (this: any) { this[context.name] = value.bind(this) }) };\nclass C { n = 5; @bound get5() { return this.n } }\nconst { get5 } = new C(); return show(get5())`;
  yield `${DECORATING}const seen: any = {}; const note = (value: any, { access, name }: any) => { seen[name] = access };\nclass C { @note f = 1; @note accessor a = 2; @note m() { return 3 } @note get g() { return 4 } }\nconst made: any = new C(); seen.f.set(made, 9); seen.a.set(made, 8); return show([made.f, made.a, seen.f.get(made), seen.a.get(made), seen.m.get(made)(), seen.g.get(made), seen.f.has(made), seen.f.has({}), Object.keys(seen.m).sort(), Object.keys(seen.g).sort()])`;
  yield `${DECORATING}function f() { class C { @dec("m") m() {} } return C } return show([f() === f(), log.length])`;
  yield `${DECORATING}const K = class C { @dec("m") m() { return C.name } }; return show([new K().m(), log])`;
  yield `${DECORATING}class C { @(dec("a") as any) @(0 as any || dec("b")) m<T>(x: T): T { return x } }\nreturn show([new C().m(1), log])`;
  yield `${DECORATING}const ns = { deep: { dec } };\nclass C { @ns.deep.dec("z") m() {} get\n  @dec("f") f = 1 }\nreturn show([Object.keys(new C()), log])`;
  yield `${DECORATING}class Outer { @dec("o") o() { class Inner { @dec("i") i = 1 } return new Inner().i } @dec("p") p = 1 }\nreturn show([new Outer().o(), log])`;
  yield `${DECORATING}namespace N { @dec("n") export class C { @dec("m") m() { return 1 } } }\nreturn show([new N.C().m(), log])`;
  yield* privateDecorators();
  yield* decoratedExpressions();
  yield* replacedClasses();
  yield `${DECORATING}class C { @(() => 5 as any) m() {} }\nreturn show(1)`;
  yield `${DECORATING}class C { @(5 as any) m() {} }\nreturn show(1)`;
  yield `${DECORATING}class C { @(() => ({ get: 5 }) as any) accessor m = 1 }\nreturn show(1)`;
  yield `${DECORATING}let later: any; class C { @((_: any, c: any) => { later = c.addInitializer }) m() {} }\nlater(() => {}); return show(1)`;
}

/**
 * Decorators of private members: what they are given, how they reach the member, and what takes its place. Not here is what the
 * compiler itself gets wrong: `super` in a private method with decorators, and the name of a function that is the value of a private field.
 */
function* privateDecorators() {
  const elements = {
    "#m() { return 1 }": "o.#m()", "async *#m() { yield 2 }": "typeof o.#m", "get #g() { return 3 }": "o.#g", "set #g(v: any) { log.push(v) } PREFIXget #g() { return 3 }": "[o.#g = 4, o.#g]",
    "#f = 5": "[o.#f, o.#f = 6, o.#f]", "#f: any": "o.#f", "accessor #a = 7": "[o.#a, o.#a = 8, o.#a, o.#a++]", "accessor #a: any": "o.#a", "#f = () => 9": "typeof o.#f",
    "private readonly2 = 1; @dec('z') #m() { return this.readonly2 }": "o.#m()",
  };
  for (const [text, use] of Object.entries(elements)) {
    for (const prefix of ["", "static "]) {
      const element = text.replace("PREFIX", prefix);
      if (prefix && element.startsWith("private")) continue;
      const target = prefix ? "C" : "new C()";
      for (const decorators of ["@dec('x')", "@wrap", "@dec('x') @wrap @dec('y')"]) {
        yield `${DECORATING}class C { before = 0; ${decorators} ${prefix}${element}\n  after = 1; static use(o: any): any { return ${use} } static has(o: any) { return #${/#(\w+)/.exec(element)[1]} in o } }
return show([C.use(${target}), C.has(${target}), C.has({}), log, Reflect.ownKeys(C.prototype).length, Reflect.ownKeys(C).length])`;
      }
      yield `let seen: any; const note: any = (value: any, context: any) => { seen = context.access; seen.names = [value?.name, value?.get?.name, value?.set?.name, context.name] };
class C { @note ${prefix}${element.replace("@dec('z') ", "@note ")}\n get #other() { return 1 } }
const o: any = ${target}; const attempt = (f: any) => { try { return f() } catch (e: any) { return e.name } };
return show([Object.keys(seen).sort(), seen.names, seen.has(o), seen.has({}), attempt(() => typeof seen.get(o)), attempt(() => seen.set(o, 1)), attempt(() => seen.get({}))])`;
    }
  }
  yield `${DECORATING}class C { @wrap get #x() { return 1 } set #x(v) { log.push(v) } static use(o: any) { o.#x = 5; return o.#x } }\nreturn show([C.use(new C()), log])`;
  yield `${DECORATING}class C { get #x() { return 1 } @wrap set #x(v) { log.push(v) } static use(o: any) { o.#x = 5; return o.#x } }\nreturn show([C.use(new C()), log])`;
  yield `${DECORATING}class C { @dec("g") get #x() { return 1 } @dec("s") set #x(v) { log.push(v) } static use(o: any) { o.#x = 5; return o.#x } }\nreturn show([C.use(new C()), log])`;
  yield `${DECORATING}class C { @dec("m") #m() {} static use(o: any) { o.#m = 5 } }\nC.use(new C()); return 1`;
  yield `${DECORATING}class C { @dec("m") #m() { return 1 } static use(o: any) { return o.#m() } }\nreturn show(C.use({}))`;
  yield `${DECORATING}class C { @dec("a") #a = 1; @dec("b") static #b = 2; @dec("c") #c() {} @dec("d") static #d() {} @dec("e") accessor #e = 3; @dec("f") static accessor #f = 4; @dec("g") get #g() { return 1 } @dec("h") h = 5; [log.push("key") as any] = 1 }\nnew C(); return show(log)`;
  yield `${DECORATING}class C { @((_: any, c: any) => { log.push(typeof c.access.get) }) #x = 1; @((o: any) => () => C.of(new C())) y = 2; static of(o: any) { return 1 } }\nreturn show(log)`;
  yield `${DECORATING}const bound: any = (value: any, { access, addInitializer }: any) => { addInitializer(function (this: any) { log.push(access.get(this) === value) }) };\nclass C { @bound #m() { return this } }\nnew C(); return show(log)`;
}

/** Decorators of class expressions, the names that such classes take, and accessors with computed names. */
function* decoratedExpressions() {
  const note = `${DECORATING}const at: any = (value: any, { kind, name }: any) => { log.push([kind, name, value?.name]) };\n`;
  const replace = "const replace: any = (value: any) => class Other extends value { added = 1 };\n";
  for (const head of ["@at", "@at @dec('c')", "@(at)"]) {
    yield `${note}const C = ${head} class { x = 1 }; return show([C.name, new C(), log])`;
    yield `${note}const C = ${head} class Own { x = 1; self() { return [Own.name, Own === C] } }; return show([C.name, new C().self(), log])`;
    yield `${note}let C: any; C = ${head} class { static y = C }; return show([C.name, C.y, log])`;
    yield `${note}const o: any = { C: ${head} class {}, "d e": ${head} class {}, 7: ${head} class {} }; return show([o.C.name, o["d e"].name, o[7].name, log])`;
    yield `${note}const { C = ${head} class {} }: any = {}; const [D = ${head} class {}]: any = []; return show([C.name, D.name, log])`;
    yield `${note}const f = (C: any = ${head} class {}) => C; return show([f().name, f() === f(), log])`;
    yield `${note}class K { f = ${head} class {}; static g = ${head} class {} } const k: any = new K(); return show([k.f.name, K.g.name, log])`;
    yield `${note}const f = (x: any) => x; return show([f(${head} class {}).name, log.length])`;
    yield `${note}const C = (${head} class<T> extends (Map as any)<T> implements I {} as any); interface I {} return show([C.name, new C() instanceof Map, log])`;
  }
  yield `${note}${replace}const C: any = @replace class Own { self() { return Own } }; return show([C.name, new C().added, new C().self() === C])`;
  yield `${note}${replace}const C: any = @replace class { static s = 1; own = 2 }; return show([C.name, C.s, new C().added, new C().own])`;
  yield `${note}const C: any = class { @at m() {} @at f = 1; @at static s = 2 }; return show([C.name, Object.keys(new C()), log])`;
  yield `${note}const make = (n: number): any => n ? [@at class { @dec("m") m() { return n } }, ...make(n - 1)] : []; return show([make(3).map((C: any) => new C().m()), log])`;
  yield `${note}const C: any = @at class { static accessor q = 1; static { log.push(this.q) } @at accessor r = 2 }; return show([C.q, new C().r, log])`;
  yield `${note}class K { @wrap f = @at class { @dec("m") m() {} } } const k: any = new K(); return show([k.f[0].name, k.f[1], log])`;
  yield `${note}class K { @at [(@at class { static k = "key" }).k]() { return 1 } } return show([(new K() as any).key(), log])`;
  const names = ["'a' + 'b'", "Symbol.iterator", "(log.push('key'), 'k')", "7", "{ toString() { log.push('once'); return 'k' } } as any", "`t`"];
  for (const name of names) {
    for (const prefix of ["", "static "]) {
      const target = prefix ? "C" : "new C()";
      for (const decorators of ["", "@dec('x') ", "@wrap "]) {
        for (const rest of [" = 1", ": any", ": number = 2", "!: any"]) {
          // The compiler converts the name of an accessor without decorators twice.
          if (decorators === "" ? !name.includes("toString") : rest !== "!: any") {
            yield `${DECORATING}class C { before = 0\n  ${decorators}${prefix}accessor [${name}]${rest}\n  after = 1 }\nconst o: any = ${target}; const key = Reflect.ownKeys(${prefix ? "C" : "C.prototype"}).filter((k) => !["length", "name", "prototype", "constructor"].includes(String(k)))[0];
const first = o[key]; o[key] = 5; return show([String(key), first, o[key], log, Object.keys(new C())])`;
          }
        }
      }
    }
  }
}

/**
 * Classes that a decorator replaces, with everything that is static in them. The compiler defines static fields on the class that is
 * replaced, where the proposal defines them on the replacement: the replacements here extend the class, so that both give the same values.
 */
function* replacedClasses() {
  const replace = `${DECORATING}const replace: any = (value: any) => class extends value { static extra = "e"; added = 1 };\n`;
  const statics = ["static s = 1", "static s: any", "static ['s' + 1] = this.name", "static s = () => this", "static s = function () {}", "static { log.push(typeof this.m) }", "static s = super.toString === log.push.toString",
    "static 'a b' = 1", "static readonly s?: number = 2", "public static s!: any", "static get: any", "static async = 1", "static accessor q = 1", "static accessor q: any", "static accessor ['q'] = this.name",
    "@dec('x') static s = 1", "@wrap static s = 1", "@wrap static accessor q = 1", "@dec('x') static accessor q = 2", "@dec('m') static m2() {}", "@wrap static s", "@dec('x') static ['s'] = 3",
    "static s = C === undefined", "static s = new C()", "static make() { return new this() }", "static { const f = async () => await 1; f() }", "static s = class {}", "static s = 1 as any; static t = this.s + 1"];
  for (const one of statics) {
    yield `${replace}@replace class C { own = 1; static m() { return this.name }\n  ${one}\n  use() { return C } }
const value = (C as any).s; return show([typeof value === "function" ? [value.name, value.prototype ? 0 : value() === C] : value instanceof (C as any) ? "made" : value, (C as any).q, (C as any)["a b"], (C as any).s1, (C as any).extra, new C().use() === C, log])`;
    yield `${DECORATING}@dec("k") class C {\n  ${one}\n  own = 1 }\nreturn show([Object.keys(C), typeof (C as any).s, (C as any).q, log])`;
  }
  yield `${replace}@replace @dec("k") class C { static a = log.push("a"); static { log.push("block") } static b = log.push("b"); @dec("s") static c = log.push("c"); @dec("m") static m() {} }\nreturn show(log)`;
  yield `${DECORATING}@dec("k") class C { static #p = 1; static #m() { return 2 } static use() { return [C.#p++, C.#p, C.#m(), #p in C] } }\nreturn show([C.use(), log])`;
  yield `${replace}@replace class C { #p = 1; #m() { return 2 } use() { return [this.#p, this.#m()] } static s = new C().use() }\nreturn show([new C().use(), (C as any).s])`;
}

const OTHERS = [
  "return show([010 as any])", "try { throw 1 } catch (e: unknown) { return show(e) }", "try { throw 1 } catch (e: any) { return show(e) }",
  "let { a, b: { c } = { c: 2 } }: any = { a: 1 }; return show([a, c])", "let [x, y = 2]: number[] = [1]; return show([x, y])",
  "const t = `a${1 as number}b${<any>2}c${3!}`; return show(t)", "const t = String.raw<any>`a${1 as number}`; return show(t)",
  "return show(new (class<T> { constructor(public x: T) {} })<number>(1))", "return show(new Map<string, number>([['a', 1]]).get('a'))",
  "const m = new Map<string, Array<Map<string, number>>>(); return show(m.size)", "const f: any = (x) => x; return show(f<number>\n(1))",
  "const f: any = { g: (x) => x }; return show(f?.g<number>(2))", "const f: any = { g: (x) => x }; return show(f?.g!.call(null, 2))",
  "const f: any = null; return show(f?.g!.h)", "const f: any = { g() { return this.z }, z: 1 }; return show([(f.g as any)(), (<any>f.g)(), f.g!(), (f.g!)()])",
  "let o: any = {}; (o as any).a = 1; o!.b = 2; [(o.c as any)] = [3]; ({ d: o.d as any } = { d: 4 }); for (o.e as any of [5]); return show(o)",
  "let x: any; (x as any) = 5; x! += 1; (<any>x)++; return show(x)", "var type = 1; type\nX = 2\nvar X; return show([type, X])",
  "var declare = 1; declare\nvar q = 2; return show([declare, q])", "var abstract = 1; abstract\nclass Q {} return show([abstract, typeof Q])",
  "var namespace = 1, q = 2; namespace\nq\n{} return show(namespace)", "if (true) type = 1; var type; return show(type)",
  "var module = 1, type = 2, as = 3, is = 4, of = 5, satisfies = 6, asserts = 7, keyof = 8; return show([module, type as any, as as any, is, of satisfies any, satisfies satisfies any, asserts, keyof])",
  "function f(this: any, a?: number) { return a } return show(f.call(null, 1))", "function f(a: number): number; function f(a: any) { return a } return show(f(1))",
  "return show([1, 2].map(x => x!).filter((x): x is number => x! > 1))", "const o = { set x(v = 1) { (this as any).y = v } }; o.x = undefined as any; return show((o as any).y)",
  "class A { set x(v: any = 1) { (this as any).y = v } } const o: any = new A(); o.x = undefined; return show(o.y)",
  "const K = class implements /* implements */ B {}; interface B {} return show(typeof K)", "const K = class /* implements */ implements B {}; interface B {} return show(typeof K)",
  "class A /* implements */ implements /* , */ B, C { x = 1 } interface B {} interface C {} return show(new A())",
  "const K = class Implements<T> implements B {}; interface B {} return show(K.name)", "class A extends (Object as any)<string> implements B { } interface B {} return show(typeof A)",
  "abstract class A { abstract x: number; abstract get y(): number; abstract f(): void; g() { return 1 } } class B extends A { x = 1; y = 2; f() {} } return show(new B().g())",
  "class A { #x: number = 1; static #y?: string; has(o: any): o is A { return #x in o } } return show(new A().has(new A()))",
  "class A { [key: string]: any; static [k: number]: string; x = 1 } return show(new A())",
  "let o = { m<T>(x: T): T { return x }, get g(): number { return 1 }, set g(v: number) {}, async *q<T>(): any { } }; return show(o.m(1))",
  "let o = { async<T>(x: T) { return x }, get<T>(x: T) { return x } }; return show(o.async(1) + o.get(2))",
  "const a: any = true, b = 1; return show(a ? (b): number => b : 3)", "const a: any = true, b = 1, c = 2; return show(a ? (b) : (c): any => c)",
  "for (let i = <number>0; i < <number>1; i++) return show(i)", "switch (1 as number) { case <any>1: return show('y') }",
  "const v: any = '1'; return show(v ? /\\d/.test(v) : false)", "switch (1 as any) { case 1: return show(/\\d/.test('1')) }",
  "const x: any = 1; if (x) /\\d/.test('1'); return show(typeof /x/)", "function* g(): any { yield /\\d/ } return show([...g()].map(String))",
  "class A { static a = 1; static { this.a++ } static b: number = this.a as any } return show([A.a, A.b])",
  "class A { accessor x = 1; static accessor y = 2 } const a = new A(); a.x++; A.y++; return show([a.x, A.y, Object.keys(a)])",
  "class A { accessor x: number; accessor #p = 2; get p() { return this.#p++ } } const a = new A(); return show([a.x, a.p, a.p])",
  "const log: any[] = []; { using a = { [Symbol.dispose]() { log.push('a') } }, b: any = null; log.push('body') } return show(log)",
  "const log: any[] = []; { await using a: any = { async [Symbol.asyncDispose]() { log.push('a') } }; log.push('body') } return show(log)",
  "const \\u0061b: number = 1, \\u{63}d = 2; return show([ab, cd])",
  "let a = 1 as any /* ; */ /* ( */\n(2 as any)\nreturn show(a)", "let x = 1 as any; // ;\n[1].forEach((v: any) => x += v)\nreturn show(x)",
];
