//# title = "words that only types know are names elsewhere"
//# [expect]
//# result = '[28,{"type":1,"as":2}]'
const type = 1, as = 2, satisfies = 3, namespace = 4, declare = 5, abstract = 6, readonly = 7;
const is = { type, as };
return [type + as + satisfies + namespace + declare + abstract + readonly, is];
