const payments = await tools.billing.payments.list({});
return payments.map(p => p.amount.toLocaleString('en-US', { style: 'currency', currency: p.currency, minimumFractionDigits: 2 }));
