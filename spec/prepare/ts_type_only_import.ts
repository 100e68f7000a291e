//# title = "an import of types alone vanishes, wherever it is from"
//# [expect]
//# result = '{"a":1}'
import type { Config } from "some-package";
import { type Other } from "other-package";
const c: Config = { a: 1 };
return c;
