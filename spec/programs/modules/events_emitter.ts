import { EventEmitter } from "node:events";

class OrderBus extends EventEmitter {
  place(id: number) {
    this.emit("placed", id, Date.UTC(2025, 0, 1));
    return this;
  }
}
const bus = new OrderBus();
const log: string[] = [];
bus.on("placed", (id, at) => log.push(`placed ${id} ${new Date(at).getUTCFullYear()}`));
bus.once("placed", (id) => log.push(`first ${id}`));
bus.prependListener("placed", () => log.push("before"));
const off = () => log.push("never");
bus.on("placed", off);
bus.off("placed", off);
const { data } = await tools.orders.list({ limit: 2 });
for (const order of data) bus.place(order.id);
let uncaught = "";
try { bus.emit("error", new Error("unhandled")); } catch (e) { uncaught = (e as Error).message; }
return { log, count: bus.listenerCount("placed"), names: bus.eventNames(), heard: bus.emit("other"), uncaught };
