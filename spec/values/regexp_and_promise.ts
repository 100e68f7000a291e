//# title = "regular expressions and promises inside of a result are empty objects"
//# [expect]
//# result = '{"r":{},"p":{}}'
return { r: /a/g, p: Promise.resolve(1) };
