type Constructor<T = {}> = new (...args: any[]) => T;
const Timestamped = <B extends Constructor>(Base: B) => class extends Base { created = "2025-01-01"; };
const Taggable = <B extends Constructor>(Base: B) => class extends Base {
  tags = new Set<string>();
  tag(...names: string[]) { names.forEach((n) => this.tags.add(n)); return this; }
};
class Doc { constructor(public title: string) {} }
class Article extends Taggable(Timestamped(Doc)) {
  *[Symbol.iterator]() { yield this.title; yield* this.tags; }
  static [Symbol.hasInstance](x: any) { return !!x && "title" in x && "tags" in x; }
}
const [repo] = await tools.github.repos.list({ language: "Python" });
const article = new Article(repo.name).tag(...repo.topics);
const { title, ...rest } = article;
return { list: [...article], instance: ({ title: "x", tags: 1 }) instanceof Article, rest, proto: Object.getPrototypeOf(Article.prototype) !== Doc.prototype, [Symbol.for("x").description!]: 1 };
