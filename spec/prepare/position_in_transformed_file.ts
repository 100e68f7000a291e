//# title = "a file with an enum keeps the author's positions"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'here'
//# line = 14
//# column = 44
enum Color {
  Red,
  Green = 5,
}

const paint = (c: Color): never => {
  const name: string = Color[c];     throw new Error("here");
};
paint(Color.Red);
