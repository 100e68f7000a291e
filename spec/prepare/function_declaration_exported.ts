//# title = "one exported function is called"
//# [expect]
//# result = '"exported"'
export async function main() {
  return "exported";
}
