async function fetchAll(sources: string[], signal: AbortSignal): Promise<string[]> {
  const got: string[] = [];
  for (const source of sources) {
    signal.throwIfAborted();
    const { from } = await tools.mirror.fetch({ source });
    got.push(from);
    if (got.length === 2) controller.abort(new Error("enough"));
  }
  return got;
}
const controller = new AbortController();
const events: string[] = [];
controller.signal.addEventListener("abort", () => events.push(`aborted: ${controller.signal.reason.message}`), { once: true });
const outcome = await fetchAll(["cache", "replica", "primary"], controller.signal).catch((e) => `stopped: ${e.message}`);
const defaultReason = AbortSignal.abort().reason;
return { outcome, events, aborted: controller.signal.aborted, reason: [defaultReason.name, defaultReason.message, defaultReason.code] };
