import { readFile } from "node:fs/promises";

// Node can read files, a sandbox cannot: the program falls back to a tool
let text: string;
try {
  text = await readFile("/definitely/not/there.txt", "utf8");
} catch {
  text = (await tools.files.read({ path: "data/old.txt" })).content;
}
return text.split("\n")[0];
