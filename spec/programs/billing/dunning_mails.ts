import { format } from "node:util";

const { data: overdue } = await tools.billing.invoices.list({ status: "overdue" });
const sent = [];
for (const invoice of overdue) {
  const customer = await tools.crm.customers.get({ id: invoice.customerId });
  const total = invoice.lines.reduce((s, l) => s + l.qty * l.unit, 0);
  const message = await tools.mail.send({
    to: customer.email,
    subject: format("Reminder: %s is overdue", invoice.id),
    body: format("Dear %s,\n%s %d is due since %s.", customer.name, invoice.currency, total, invoice.due),
  });
  sent.push(message);
}
return sent;
