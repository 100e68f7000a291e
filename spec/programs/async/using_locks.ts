const log: string[] = [];
function lock(name: string): Disposable {
  log.push(`lock ${name}`);
  return { [Symbol.dispose]: () => void log.push(`unlock ${name}`) };
}
function transfer(fail: boolean) {
  using from = lock("from");
  using to = lock("to");
  if (fail) throw new Error("insufficient funds");
  log.push("moved");
}
transfer(false);
try {
  transfer(true);
} catch (e) {
  log.push((e as Error).message);
}
for (using tmp of [lock("loop")]) log.push("in loop");
return log;
