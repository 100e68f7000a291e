const { content } = await tools.files.read({ path: "docs/README.md" });
const withoutCode = content.replace(/^```[\s\S]*?^```$/gm, "");
const outline = [...withoutCode.matchAll(/^(#{1,6})\s+(.+)$/gm)].map(([, hashes, title]) => ({ level: hashes.length, title, anchor: title.toLowerCase().replace(/\s+/g, "-") }));
const links = [...withoutCode.matchAll(/(?<!!)\[(?<text>[^\]]+)\]\((?<href>\S+?)(?:\s+"(?<title>[^"]*)")?\)/g)].map((m) => ({ ...m.groups }));
const toc = outline.map(({ level, title, anchor }) => `${"  ".repeat(level - 1)}- [${title}](#${anchor})`).join("\n");
return { toc, links, words: withoutCode.split(/\W+/).filter(Boolean).length };
