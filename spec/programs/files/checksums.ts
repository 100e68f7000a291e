import { createHash } from "node:crypto";

const paths = ["data/old.txt", "data/new.txt", "docs/README.md"];
const contents = await Promise.all(paths.map((path) => tools.files.read({ path })));
const sums = contents.map(({ path, content }) => ({
  path,
  sha256: createHash("sha256").update(content).digest("hex"),
  md5: createHash("md5").update(content, "utf8").digest("base64"),
}));
const all = createHash("sha1");
for (const { content } of contents) all.update(content);
return { sums, all: all.digest("hex").slice(0, 12) };
