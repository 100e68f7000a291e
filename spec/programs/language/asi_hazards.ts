const list = await tools.github.repos.list({})
const names = list.map((r) => r.name)
const [first, second] = names
;[first, second].forEach((n) => names.push(n.toUpperCase()))
let total = 0
;(function () { total = names.length })()
const text = `a`
;`b`.trim()
const value = total
/2
const f = () => ({ total })
type T = { x: number }
interface I { y: number }
let x = 1 as number
let y = x satisfies number
++x
const z = x
  + y
const fn = function <T,>(v: T) { return v }
return { names, value, f: f(), x, y, z, fn: fn(3), text }
