class Program {
  private static readonly pageSize = 3;
  static async main(): Promise<number[]> {
    const sizes: number[] = [];
    for (let offset = 0; ; offset += Program.pageSize) {
      const { data, hasMore } = await tools.orders.list({ offset, limit: Program.pageSize });
      sizes.push(data.length);
      if (!hasMore) return sizes;
    }
  }
}
await Program.main();
