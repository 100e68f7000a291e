// 简单的 XML 解析器(递归下降)
const { content } = await tools.files.read({ path: 'data/people.xml' });
const decode = s => s.replace(/&amp;/g, '&').replace(/&lt;/g, '<');

function parse(xml) {
  const re = /<(\/?)([\w:-]+)((?:\s+[\w:-]+="[^"]*")*)\s*(\/?)>|([^<]+)/gy;
  const root = { children: [] };
  const stack = [root];
  let m;
  xml = xml.replace(/<\?.*?\?>/g, '');
  while ((m = re.exec(xml)) !== null) {
    const [, close, tag, attrs, self, text] = m;
    const top = stack[stack.length - 1];
    if (text !== undefined) { if (text.trim()) top.text = decode(text.trim()); continue; }
    if (close) { stack.pop(); continue; }
    const node = { tag, attrs: Object.fromEntries([...attrs.matchAll(/([\w:-]+)="([^"]*)"/g)].map(a => [a[1], a[2]])), children: [] };
    top.children.push(node);
    if (!self) stack.push(node);
  }
  return root.children;
}
const [people] = parse(content);
return people.children.map(p => ({ id: +p.attrs.id, active: p.attrs.active === 'true', ...Object.fromEntries(p.children.map(c => [c.tag, c.text])) }));
