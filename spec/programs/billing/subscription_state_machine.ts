type State = "trial" | "active" | "past_due" | "canceled";
type Event = { type: "PAY" } | { type: "FAIL"; reason: string } | { type: "CANCEL" } | { type: "RENEW" };

const machine: Record<State, Partial<Record<Event["type"], State>>> = {
  trial: { PAY: "active", CANCEL: "canceled" },
  active: { FAIL: "past_due", CANCEL: "canceled", RENEW: "active" },
  past_due: { PAY: "active", FAIL: "canceled", CANCEL: "canceled" },
  canceled: {},
};

class Subscription {
  #state: State = "trial";
  #history: string[] = [];
  get state() {
    return this.#state;
  }
  send(event: Event): this {
    const next = machine[this.#state][event.type];
    if (!next) throw new RangeError(`cannot ${event.type} while ${this.#state}`);
    this.#history.push(`${this.#state} -${event.type}-> ${next}${event.type === "FAIL" ? ` (${event.reason})` : ""}`);
    this.#state = next;
    return this;
  }
  toJSON() {
    return { state: this.#state, history: this.#history };
  }
}

const sub = new Subscription().send({ type: "PAY" }).send({ type: "FAIL", reason: "card expired" }).send({ type: "PAY" });
let refused = "";
try {
  new Subscription().send({ type: "RENEW" });
} catch (e: any) {
  refused = `${e.constructor.name}: ${e.message}`;
}
return { sub, refused };
