//# title = "a module that throws when it is loaded does not matter to a program that does not import it"
//# tools = "spec"
//# [modules]
//# early = "throw new RangeError('not today')"
//# late = "export const f = (fails: boolean) => { if (fails) throw new RangeError('now'); return 1 }"
//# [expect]
//# result = '[1,"now"]'
import { f } from 'late';
try {
  return [f(false), f(true)];
} catch (error) {
  return [f(false), error.message];
}
