/**
 * Finds customers that share an email address (case-insensitive).
 */
export default async function findDuplicates(): Promise<Record<string, string[]>> {
  const all: { id: string; email: string }[] = [];
  let cursor: string | undefined;
  for (;;) {
    const page = await tools.crm.customers.list({ limit: 4, cursor });
    all.push(...page.items);
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  const seen: Record<string, string[]> = {};
  for (const { id, email } of all) {
    (seen[email.toLowerCase()] ??= []).push(id);
  }
  return Object.fromEntries(Object.entries(seen).filter(([, ids]) => ids.length > 1));
}
