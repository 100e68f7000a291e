const contacts = await tools.crm.contacts.list({});
const today = new Date(Date.UTC(2025, 1, 20)); // fixed reference date

function nextBirthday(iso: string): Date {
  const [, month, day] = iso.split("-").map(Number);
  let next = new Date(Date.UTC(today.getUTCFullYear(), month - 1, day));
  if (next < today) next = new Date(Date.UTC(today.getUTCFullYear() + 1, month - 1, day));
  return next;
}

const MS_PER_DAY = 24 * 60 * 60 * 1000;
return contacts
  .filter((c) => c.birthday)
  .map((c) => {
    const next = nextBirthday(c.birthday);
    return {
      name: [c.firstName, c.lastName].join(" "),
      date: next.toISOString().slice(0, 10),
      inDays: Math.round((next.getTime() - today.getTime()) / MS_PER_DAY),
    };
  })
  .sort((a, b) => a.inDays - b.inDays);
