{"$defs":{"t":{"anyOf":[{"properties":{"a":{"$ref":"#/$defs/t"}}},{"properties":{"a":{"$ref":"#/$defs/t"},"b":{"default":{}}}}]}},"$ref":"#/$defs/t"}
await tools.a({ a: { a: { a: { a: { a: { a: { a: { a: { a: { a: { a: { a: { a: { a: { a: {} } } } } } } } } } } } } } } });
await tools.a({ a: { a: { a: { a: { a: { a: { a: { a: { a: { a: { a: { a: { a: { a: { a: {} } } } } } } } } } } } } } } });
await tools.a({ a: { a: { a: { a: { a: { a: { a: { a: { a: { a: { a: { a: { a: { a: { a: {} } } } } } } } } } } } } } } });
await tools.a({ a: { a: { a: { a: { a: { a: { a: { a: { a: { a: { a: { a: { a: { a: { a: {} } } } } } } } } } } } } } } });
await tools.a({ a: { a: { a: { a: { a: { a: { a: { a: { a: { a: { a: { a: { a: { a: { a: {} } } } } } } } } } } } } } } });
await tools.a({ a: { a: { a: { a: { a: { a: { a: { a: { a: { a: { a: { a: { a: { a: { a: {} } } } } } } } } } } } } } } });
await tools.a({ a: { a: { a: { a: { a: { a: { a: { a: { a: { a: { a: { a: { a: { a: { a: x } } } } } } } } } } } } } } });
await tools.missing({});
