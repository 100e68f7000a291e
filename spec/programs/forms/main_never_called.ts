interface Summary { count: number; first: string }

async function main(): Promise<Summary> {
  const tickets = await tools.support.tickets.list({ status: "open" });
  return { count: tickets.length, first: tickets[0].subject };
}
