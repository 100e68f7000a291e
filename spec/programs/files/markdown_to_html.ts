const escapeHtml = (s: string) => s.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
const inline = (s: string) =>
  escapeHtml(s)
    .replace(/`([^`]+)`/g, "<code>$1</code>")
    .replace(/\*\*(.+?)\*\*/g, "<strong>$1</strong>")
    .replace(/(?<!\*)\*(?!\*)(.+?)\*/g, "<em>$1</em>")
    .replace(/\[([^\]]+)\]\(([^\s)]+)[^)]*\)/g, '<a href="$2">$1</a>');

const { content } = await tools.files.read({ path: "docs/README.md" });
const html: string[] = [];
let inList = false;
for (const block of content.split(/\n/)) {
  const heading = /^(#+) (.*)/.exec(block);
  const item = /^\s*- (.*)/.exec(block);
  if (item && !inList) { html.push("<ul>"); inList = true; }
  if (!item && inList) { html.push("</ul>"); inList = false; }
  if (heading) html.push(`<h${heading[1].length}>${inline(heading[2])}</h${heading[1].length}>`);
  else if (item) html.push(`<li>${inline(item[1])}</li>`);
  else if (block.startsWith("> ")) html.push(`<blockquote>${inline(block.slice(2))}</blockquote>`);
}
return html;
