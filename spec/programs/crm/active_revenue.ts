// Sum the monthly revenue of all active customers, page by page
interface Customer { id: string; name: string; mrr: number; status: string }

let cursor: string | null = null;
const customers: Customer[] = [];
do {
  const page: any = await tools.crm.customers.list({ status: "active", ...(cursor ? { cursor } : {}) });
  customers.push(...page.items);
  cursor = page.nextCursor;
} while (cursor);

const total = customers.reduce((sum, c) => sum + c.mrr, 0);
console.log(`Fetched ${customers.length} customers`);
return { count: customers.length, total: Math.round(total * 100) / 100, top: customers.sort((a, b) => b.mrr - a.mrr)[0].name };
