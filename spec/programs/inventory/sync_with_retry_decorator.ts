// Retries a method a number of times
function retry(times: number) {
  return function <T extends (...args: any[]) => Promise<any>>(method: T, context: ClassMethodDecoratorContext) {
    return async function (this: any, ...args: any[]) {
      let lastError: unknown;
      for (let attempt = 1; attempt <= times; attempt++) {
        try {
          return await method.call(this, ...args);
        } catch (error) {
          lastError = error;
          this.log.push(`${String(context.name)} #${attempt}: ${(error as Error).message}`);
        }
      }
      throw lastError;
    };
  };
}

class Warehouse {
  log: string[] = [];
  constructor(readonly code: string) {}

  @retry(3)
  async sync() {
    return tools.inventory.sync({ warehouse: this.code });
  }
}

const berlin = new Warehouse("BER");
const answer = await berlin.sync();
return { answer, log: berlin.log };
