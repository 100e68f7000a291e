const products = await tools.inventory.products.list({ category: "displays" });
export default products.map((p) => ({ [p.sku]: p.price }));
