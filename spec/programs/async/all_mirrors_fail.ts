try {
  await Promise.any(["offline", "nowhere"].map((source) => tools.mirror.fetch({ source })));
  return "unexpected";
} catch (error) {
  if (error instanceof AggregateError) {
    return { name: error.name, count: error.errors.length, messages: error.errors.map((e: Error) => e.message) };
  }
  throw error;
}
