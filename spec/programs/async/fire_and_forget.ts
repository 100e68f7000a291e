// Sends a notification without waiting for it
const tickets = await tools.support.tickets.list({ priority: "urgent" });
tools.mail.send({ to: "oncall@isobox.example", subject: `${tickets.length} urgent ticket(s)` });
return tickets.map((t) => t.id);
