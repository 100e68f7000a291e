// Joins two servers: a table of people from the files, and what the memory knows about each of them.
// Run it with: isobox run --config examples/isobox.json examples/join_two_servers.ts

const { content } = await tools.files.read_text_file({ path: "people.csv" });
const [header, ...lines] = content.trim().split("\n");
const columns = header.split(",");
const people = lines.map((line) => Object.fromEntries(line.split(",").map((cell, index) => [columns[index], cell])));

// One search for each person, all at once.
const found = await Promise.all(people.map(({ name }) => tools.memory.search_nodes({ query: name })));

return people.map((person, index) => ({
  ...person,
  known: found[index].entities.filter((entity) => entity.name === person.name).flatMap((entity) => entity.observations),
}));
