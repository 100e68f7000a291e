type OrderEvent =
  | { type: "placed"; at: number; items: { sku: string; qty: number }[] }
  | { type: "itemRemoved"; at: number; sku: string }
  | { type: "paid"; at: number; amount: number }
  | { type: "shipped"; at: number; tracking: string };

interface OrderState {
  items: Record<string, number>;
  paid: number;
  tracking?: string;
  version: number;
}

const assertNever = (x: never): never => {
  throw new Error(`unexpected event: ${JSON.stringify(x)}`);
};

function apply(state: OrderState, event: OrderEvent): OrderState {
  const version = state.version + 1;
  switch (event.type) {
    case "placed":
      return { ...state, version, items: Object.fromEntries(event.items.map((i) => [i.sku, i.qty])) };
    case "itemRemoved": {
      const { [event.sku]: _removed, ...items } = state.items;
      return { ...state, version, items };
    }
    case "paid":
      return { ...state, version, paid: state.paid + event.amount };
    case "shipped":
      return { ...state, version, tracking: event.tracking };
    default:
      return assertNever(event);
  }
}

const { data } = await tools.orders.list({ customerId: "cus_002", limit: 1 });
const events: OrderEvent[] = [
  { type: "placed", at: 1, items: data[0].items },
  { type: "itemRemoved", at: 2, sku: "CB-C01" },
  { type: "paid", at: 3, amount: 100.5 },
  { type: "shipped", at: 4, tracking: "1Z999" },
];
const initial: OrderState = { items: {}, paid: 0, version: 0 };
const history = events.map(((state) => (e: OrderEvent) => (state = apply(state, e)))(initial));
return { final: history.at(-1), versions: history.map((s) => s.version), unpaidAt2: history[1].paid };
