//# title = "a species of the program gets the answers that the program has anyway, and nothing else"
//# tools = "demo"
//# [expect]
//# result = '[1,true,2]'
//# calls = [["demo.echo", "applied"]]
let made = 0;
class Mine<T> extends Promise<T> { constructor(run: any) { super(run); made++; } }
Object.defineProperty(Promise, Symbol.species, { get: () => Mine });
const derived = tools.demo.echo(1).then((value) => value);
return [await derived, derived instanceof Mine, made]; // the second one is made by await, which calls then
