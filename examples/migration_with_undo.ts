// Renames the files of a folder. It first writes down how to undo that, and undoes what it has done when a step fails.
// Run it with: isobox run --config examples/isobox.json examples/migration_with_undo.ts

const listed = await tools.files.list_directory({ path: "orders" });
const names = listed.content.split("\n").map((line) => line.replace("[FILE] ", "")).filter((name) => /^\d{4}-\d\d-\d\d[.]csv$/.test(name));
const moves = names.map((name) => ({ source: `orders/${name}`, destination: `orders/day-${name}` }));

// The plan is in the files before the first change: the migration can still be undone later.
const undo = moves.map(({ source, destination }) => ({ source: destination, destination: source }));
await tools.files.write_file({ path: "undo.json", content: JSON.stringify(undo, null, 2) });

const done: typeof moves = [];
try {
  for (const move of moves) {
    await tools.files.move_file(move);
    done.push(move);
  }
} catch (error) {
  console.warn(`${error.code}: ${error.message}; undoing ${done.length} moves`);
  for (const { source, destination } of done.reverse()) await tools.files.move_file({ source: destination, destination: source });
  return { migrated: 0, undone: true, because: error.code };
}
return { migrated: done.length, undone: false };
