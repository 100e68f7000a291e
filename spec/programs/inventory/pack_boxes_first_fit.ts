const MAX_KG = 6;
const products = await tools.inventory.products.list({});
const weights = Object.fromEntries(products.map((p) => [p.sku, p.weightKg]));
const order = (await tools.orders.list({ customerId: "cus_010" })).data[0];

const pieces = order.items.flatMap(({ sku, qty }) => Array<string>(qty).fill(sku)).sort((a, b) => weights[b] - weights[a]);
const boxes: { free: number; pieces: string[] }[] = [];
for (const piece of pieces) {
  const kg = weights[piece];
  let box = boxes.find((b) => b.free >= kg);
  if (!box) boxes.push((box = { free: Math.max(MAX_KG, kg), pieces: [] }));
  box.free = +(box.free - kg).toFixed(3);
  box.pieces.push(piece);
}
return boxes;
