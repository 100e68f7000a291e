//# title = "export default of a named function is the program"
//# [expect]
//# result = '42'
const base = 40;
export default function main() {
  return base + 2;
}
