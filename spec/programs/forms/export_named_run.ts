export const run = async (): Promise<string[]> => {
  const events = await tools.calendar.events.list({ calendar: "sales" });
  return events.map((e) => e.title);
};
