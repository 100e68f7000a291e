class Connection implements AsyncDisposable {
  static log: string[] = [];
  private constructor(private readonly name: string) {}
  static async open(name: string) {
    Connection.log.push(`open ${name}`);
    return new Connection(name);
  }
  query(sql: string) {
    return tools.db.query({ sql });
  }
  async [Symbol.asyncDispose]() {
    await Promise.resolve();
    Connection.log.push(`close ${this.name}`);
  }
}

async function work() {
  await using a = await Connection.open("main");
  await using b = await Connection.open("replica");
  const { rows } = await a.query("SELECT * FROM accounts");
  Connection.log.push(`rows ${rows.length}`);
  return rows.length;
}
const count = await work();
return { count, log: Connection.log };
