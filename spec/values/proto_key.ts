//# title = "a key called __proto__ is a key like others"
//# [expect]
//# result = '{"__proto__":{"a":1},"constructor":2,"toString":3}'
return JSON.parse('{"__proto__": {"a": 1}, "constructor": 2, "toString": 3}');
