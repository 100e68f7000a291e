class Store extends EventTarget {
  #state: Record<string, unknown> = {};
  set(key: string, value: unknown) {
    const previous = this.#state[key];
    this.#state[key] = value;
    return this.dispatchEvent(new CustomEvent("change", { detail: { key, value, previous }, cancelable: true }));
  }
}
const store = new Store();
const seen: unknown[] = [];
store.addEventListener("change", (e) => { seen.push((e as CustomEvent).detail); }, { once: true });
store.addEventListener("change", (e) => { if ((e as CustomEvent).detail.key === "b") e.preventDefault(); });
const { enabled } = await tools.flags.get({ key: "dark-mode" });
const results = [store.set("dark", enabled), store.set("b", 2), store.set("dark", false)];
return { seen, results };
