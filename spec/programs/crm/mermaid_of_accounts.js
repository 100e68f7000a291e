var result = await tools.crm.customers.list({ limit: 6 });
var lines = ["graph LR"];
for (var i = 0; i < result.items.length; i++) {
  var c = result.items[i];
  var label = c.name.replace(/["&<>]/g, function (ch) {
    return { '"': "&quot;", "&": "&amp;", "<": "&lt;", ">": "&gt;" }[ch];
  });
  lines.push("  " + c.id + '["' + label + '"] --> ' + (c.ownerId || "nobody"));
}
lines.push("  classDef vip fill:#f96;");
result.items
  .filter(function (c) { return (c.tags || []).indexOf("vip") !== -1; })
  .forEach(function (c) { lines.push("  class " + c.id + " vip;"); });
return lines.join("\n");
