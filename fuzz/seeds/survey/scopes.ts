+syntax:if
export default async function main(tools = {}) { for (const x of [1]) { var y = x; switch (y) { case 1: tools.a(); } } class A { static { tools.b() } #p = tools.c(); get q() { return this.#p } } return new A().q }
enum E { A = 1, B = A } namespace N { export const tools = 1; tools.x() }
