type Step = { name: string; run: () => Promise<unknown>; undo: () => Promise<void> };
const trail: string[] = [];
const step = (name: string, run: () => Promise<unknown>): Step => ({ name, run, undo: async () => void trail.push(`undo ${name}`) });
async function saga(steps: Step[]) {
  const done: Step[] = [];
  try {
    for (const s of steps) {
      await s.run();
      trail.push(`did ${s.name}`);
      done.unshift(s);
    }
    return "committed";
  } catch (error) {
    for (const s of done) await s.undo();
    return `rolled back: ${(error as Error).message}`;
  }
}
const outcome = await saga([
  step("reserve", () => tools.inventory.products.get({ sku: "KB-100" })),
  step("event", () => tools.calendar.events.create({ title: "Delivery" })),
  step("charge", () => tools.billing.charge({ amount: 89.99 })),
  step("mail", () => tools.mail.send({})),
]);
return { outcome, trail };
