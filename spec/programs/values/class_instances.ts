class Money {
  constructor(readonly amount: number, readonly currency: string) {}
  get formatted() { return `${this.amount.toFixed(2)} ${this.currency}`; }
  plus(other: Money) { return new Money(this.amount + other.amount, this.currency); }
  toString() { return this.formatted; }
}
class Cart {
  #secret = "hidden";
  items: { sku: string; price: Money }[] = [];
  coupon?: string = undefined;
  get total() { return this.items.reduce((s, i) => s.plus(i.price), new Money(0, "EUR")); }
}
const cart = new Cart();
for (const p of await tools.inventory.products.list({ category: "cables" })) cart.items.push({ sku: p.sku, price: new Money(p.price, "EUR") });
return { cart, total: cart.total, text: `${cart.total}` };
