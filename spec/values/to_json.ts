//# title = "toJSON decides, and is told its key"
//# [expect]
//# result = '{"a":"key a","list":["0"]}'
return { a: { toJSON: (key: string) => `key ${key}` }, list: [{ toJSON: (key: string) => key }] };
