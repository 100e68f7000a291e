// Writes one letter for each person. Every letter needs approval, and all of them wait at once: a person decides about each,
// or approves all together. Run it with: isobox run --config examples/isobox.json examples/batch_with_approvals.ts

const { content } = await tools.files.read_text_file({ path: "people.csv" });
const names = content.trim().split("\n").slice(1).map((line) => line.split(",")[0]);

const written = await Promise.allSettled(
  names.map((name) => tools.files.write_file({ path: `letter-${name.toLowerCase()}.txt`, content: `Dear ${name},\n` })),
);
return names.map((name, index) => {
  const one = written[index];
  return { name, letter: one.status === "fulfilled" ? "written" : one.reason.code };
});
