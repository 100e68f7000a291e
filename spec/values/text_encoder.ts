//# title = "TextEncoder makes UTF-8"
//# [expect]
//# result = '[[97,195,164,226,130,172,240,159,152,128],[239,191,189],"utf-8",0,{"read":1,"written":2}]'
const e = new TextEncoder();
return [[...e.encode("aä€😀")], [...e.encode("\ud800")], e.encoding, e.encode().length, e.encodeInto("ä€", new Uint8Array(4))];
