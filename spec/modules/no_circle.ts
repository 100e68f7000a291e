//# title = "a module that two others import is no circle, and is loaded once"
//# tools = "spec"
//# [modules]
//# top = "import { left } from 'left'\nimport { right } from 'right'\nexport default () => [left(), right()]"
//# left = "import { next } from 'count'\nexport const left = () => next()"
//# right = "import { next } from 'count'\nexport const right = () => next()"
//# count = "let count = 0\nexport const next = () => ++count"
//# [expect]
//# result = '[[1,2],3]'
import top from 'top';
import { next } from 'count';
return [top(), next()];
