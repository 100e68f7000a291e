async (): Promise<{ open: number; closed: number }> => {
  const [open, closed] = await Promise.all(
    (["open", "closed"] as const).map((state) => tools.github.issues.list({ state })),
  );
  return { open: open.length, closed: closed.length };
};
