{"anyOf":[{"type":"string","const":"x"},{"type":["array","null"],"items":{"oneOf":[{"type":"number"},{"allOf":[{"$ref":"#/anyOf/0"}]}]}}]}
class A { m = () => tools.a(["x", 1, { y: null }]) }
out: do { if (new A().m) break out; (async () => { await tools.a("y"); return; tools.a(0) })() } while (tools.a(null));
