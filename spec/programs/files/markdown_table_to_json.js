const { content } = await tools.files.read({ path: 'docs/README.md' });
const rows = content.split('\n').filter(line => /^\|.*\|$/.test(line)).map(line => line.slice(1, -1).split('|').map(cell => cell.trim()));
const [head, , ...body] = rows;
const json = body.map(cells => Object.assign({}, ...cells.map((cell, i) => ({ [head[i].toLowerCase()]: cell }))));
return json
