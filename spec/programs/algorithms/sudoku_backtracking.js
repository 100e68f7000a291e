const puzzle = '53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79';
const cells = [...puzzle].map((c) => (c === '.' ? 0 : +c));
let steps = 0;
const fits = (i, v) => {
  const r = Math.floor(i / 9), c = i % 9;
  for (let k = 0; k < 9; k++) {
    if (cells[r * 9 + k] === v || cells[k * 9 + c] === v) return false;
    if (cells[(Math.floor(r / 3) * 3 + Math.floor(k / 3)) * 9 + Math.floor(c / 3) * 3 + (k % 3)] === v) return false;
  }
  return true;
};
function solve() {
  const i = cells.indexOf(0);
  if (i === -1) return true;
  for (let v = 1; v <= 9; v++) {
    if (!fits(i, v)) continue;
    steps++;
    cells[i] = v;
    if (solve()) return true;
    cells[i] = 0;
  }
  return false;
}
return { solved: solve(), steps, rows: Array.from({ length: 9 }, (_, r) => cells.slice(r * 9, r * 9 + 9).join('')) };
