const { content } = await tools.files.read({ path: 'data/points.json' });
const blob = new Blob([content, '\n'], { type: 'application/json' });
const form = new FormData();
form.append('title', 'Points');
form.append('tag', 'geo');
form.append('tag', 'json');
form.set('file', blob, 'points.json');
return {
  size: blob.size,
  type: blob.type,
  start: await blob.slice(0, 8).text(),
  tags: form.getAll('tag'),
  keys: [...form.keys()],
  name: form.get('file').name,
  same: (await form.get('file').text()) === content + '\n',
};
