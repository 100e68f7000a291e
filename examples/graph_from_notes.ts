// Reads notes, follows their [[links]], and keeps what links to what in the memory.
// Run it with: isobox run --config examples/isobox.json examples/graph_from_notes.ts

const listed = await tools.files.search_files({ path: "notes", pattern: "*.md" });
const paths = listed.content.split("\n").filter((path) => path.endsWith(".md"));

const notes = await Promise.all(
  paths.map(async (path) => {
    const { content } = await tools.files.read_text_file({ path });
    const title = content.match(/^# (.+)$/m)?.[1] ?? path;
    const links = [...content.matchAll(/\[\[([^\]]+)\]\]/g)].map((link) => link[1]);
    return { title, links: [...new Set(links)] };
  }),
);

const names = [...new Set(notes.flatMap(({ title, links }) => [title, ...links]))].sort();
await tools.memory.create_entities({
  entities: names.map((name) => ({ name, entityType: "topic", observations: [`mentioned in ${notes.filter((note) => note.links.includes(name)).length} notes`] })),
});
await tools.memory.create_relations({
  relations: notes.flatMap(({ title, links }) => links.map((link) => ({ from: title, to: link, relationType: "mentions" }))),
});
return { notes: notes.length, topics: names };
