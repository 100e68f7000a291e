function wrap(text, width) {
  const lines = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line && (line + ' ' + word).length > width) { lines.push(line); line = word; }
    else line = line ? line + ' ' + word : word;
  }
  if (line) lines.push(line);
  return lines;
}
function justify(line, width) {
  const words = line.split(' ');
  if (words.length === 1) return line;
  let gaps = words.length - 1, spaces = width - words.join('').length;
  return words.reduce((out, word, i) => {
    if (i === 0) return word;
    const n = Math.ceil(spaces / gaps);
    spaces -= n; gaps--;
    return out + ' '.repeat(n) + word;
  }, '');
}
const { content } = await tools.files.read({ path: 'text/article.txt' });
const [first] = content.split('\n\n');
const lines = wrap(first, 40);
return lines.map((l, i) => i < lines.length - 1 ? justify(l, 40) : l);
