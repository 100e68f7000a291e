{"type":"object","properties":{"id":{"type":"integer"}},"required":["id"],"additionalProperties":false}
import { list } from "./file1";
await tools.a({ id: 1 });
await list("x");
---
import { other } from "./file2";
export const list = async (id) => tools.a({ id: `${id}` });
await tools.a({ id: "x" });
other();
---
export const other = () => { tools.missing({}); tools.denied({ id: 1 }) };
