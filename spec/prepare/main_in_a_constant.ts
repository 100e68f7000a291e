//# title = "a function in a constant that ends the program is called"
//# [expect]
//# result = '6'
const double = (n: number) => n * 2;
const run = async (): Promise<number> => {
  return double(3);
};
