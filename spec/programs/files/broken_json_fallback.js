async function readJson(path, fallback) {
  const { content } = await tools.files.read({ path });
  try {
    return JSON.parse(content);
  } catch (error) {
    console.warn(`${path} is not valid JSON`);
    return { ...fallback, error: error.name };
  }
}
return await Promise.all(['data/points.json', 'data/broken.json'].map((p) => readJson(p, { items: [] }).then((v) => Object.keys(v))));
