//# title = "a stack overflow can be caught, and the program goes on"
//# [expect]
//# result = '["RangeError",true]'
const f = (): number => 1 + f();
try {
  f();
} catch (error) {
  return [error.name, error instanceof RangeError];
}
