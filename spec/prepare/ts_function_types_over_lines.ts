//# title = "types that span lines vanish without joining statements"
//# [expect]
//# result = '[{"y":1},"a"]'
const f = (
  a: {
    x: number;
  },
): {
  y: number;
} => ({ y: a.x });
type T =
  | "a"
  | "b";
const t = "a" as
  T;
[1].forEach(() => {});
return [f({ x: 1 }), t];
