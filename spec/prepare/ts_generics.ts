//# title = "type parameters and type arguments vanish"
//# [expect]
//# result = '[7,["a",1],1,3]'
function first<T, K extends keyof T = keyof T>(list: T[], key?: K): T {
  return list[0];
}
const pair = <A, B>(a: A, b: B): [A, B] => [a, b];
class Box<T> { constructor(readonly value: T) {} }
return [first<number>([7]), pair<string, number>("a", 1), new Map<string, number>([["k", 1]]).get("k"), new Box<number>(3).value];
