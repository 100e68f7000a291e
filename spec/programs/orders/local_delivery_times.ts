const { data: orders } = await tools.orders.list({ limit: 4 });
return orders.map((o) => {
  const placed = new Date(o.placedAt);
  return {
    id: o.id,
    newYork: placed.toLocaleString("en-US", { timeZone: "America/New_York" }),
    berlin: placed.toLocaleString("de-DE", { timeZone: "Europe/Berlin", dateStyle: "medium", timeStyle: "short" }),
    tokyo: placed.toLocaleDateString("ja-JP", { timeZone: "Asia/Tokyo", weekday: "short", month: "long", day: "numeric" }),
  };
});
