//# title = "a namespace has its exported members"
//# [expect]
//# result = '[8,1,["double","Deep"]]'
namespace Geometry {
  const hidden = 2;
  export const double = (n: number) => n * hidden;
  export interface Point { x: number }
  export namespace Deep { export const one = 1; }
}
return [Geometry.double(4), Geometry.Deep.one, Object.keys(Geometry)];
