class QueryBuilder<T extends string> {
  private parts: { select: string[]; where: string[]; group: string[]; order?: string } = { select: [], where: [], group: [] };
  constructor(private readonly table: T) {}
  select(...columns: string[]): this { this.parts.select.push(...columns); return this; }
  where(condition: string): this { this.parts.where.push(condition); return this; }
  groupBy(column: string): this { this.parts.group.push(column); return this; }
  orderBy(column: string): this { this.parts.order = column; return this; }
  toString(): string {
    const { select, where, group, order } = this.parts;
    return [
      `SELECT ${select.join(", ") || "*"} FROM ${this.table}`,
      where.length && `WHERE ${where.join(" AND ")}`,
      group.length && `GROUP BY ${group.join(", ")}`,
      order && `ORDER BY ${order}`,
    ].filter(Boolean).join(" ");
  }
  async run() { return (await tools.db.query({ sql: `${this}` })).rows; }
}
const growth = await new QueryBuilder("growth").select("month", "signups", "churned").orderBy("month").run();
const sales = await new QueryBuilder("sales").select("region").select("SUM(revenue)").groupBy("region").run();
return { growth: growth.length, sales, text: String(new QueryBuilder("t").where("a > 1").where("b = 2")) };
