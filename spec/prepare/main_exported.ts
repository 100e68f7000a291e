//# title = "an exported function that nothing calls is called"
//# [expect]
//# result = '7'
export const base = 6;
export async function main() {
  return base + 1;
}
export { base as other };
