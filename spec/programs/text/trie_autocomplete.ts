class TrieNode { children = new Map<string, TrieNode>(); words: string[] = []; }
class Trie {
  private readonly root = new TrieNode();
  insert(word: string) {
    let node = this.root;
    for (const ch of word.toLowerCase()) {
      if (!node.children.has(ch)) node.children.set(ch, new TrieNode());
      node = node.children.get(ch)!;
      if (node.words.length < 3) node.words.push(word);
    }
  }
  complete(prefix: string): string[] {
    let node: TrieNode | undefined = this.root;
    for (const ch of prefix.toLowerCase()) if (!(node = node.children.get(ch))) return [];
    return node.words;
  }
}
const trie = new Trie();
const { content } = await tools.files.read({ path: "text/article.txt" });
for (const word of new Set(content.match(/\p{L}+/gu))) trie.insert(word);
for (const p of await tools.inventory.products.list({})) trie.insert(p.name);
return Object.fromEntries(["w", "mo", "ca", "ep", "x"].map((p) => [p, trie.complete(p)]));
