//# title = "a snippet that imports a module goes on with it after a pause"
//# tools = "spec"
//# [modules]
//# prices = "export const priceOf = (name: string) => name.length"
//# [snippets]
//# pays = "import { priceOf } from 'prices'\nconst paid = await tools.spec.pay({ amount: priceOf(input) })\nreturn [paid.paid, priceOf('abcd')]"
//# [[passes]]
//# pending = [["0.0", "spec.pay", "approval"]]
//# inputs = ['{"amount":3}']
//# approve = "all"
//# resumesFrom = "journal"
//# [expect]
//# result = '[3,4]'
//# calls = [["codemode.run", "applied"], ["spec.pay", "applied"]]
return codemode.run("pays", "abc");
