//# title = "a namespace exports every name of a pattern, and what it declares cannot get in the way"
//# [expect]
//# result = '[1,[2,3],"own"]'
namespace N {
  class Object { name = "own" }
  export const { a, rest: [...b] } = { a: 1, rest: [2, 3] };
  export const own = new Object().name;
}
return [N.a, N.b, N.own];
