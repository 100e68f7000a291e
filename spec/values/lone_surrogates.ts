//# title = "halves of surrogate pairs become U+FFFD in a result"
//# differsFromNode = "Node keeps halves of surrogate pairs"
//# [expect]
//# result = '["\ufffd","a\ufffdb","\ufffd",{"\ufffd":1}]'
return ["\ud83d", "a\ude00b", "😀".slice(0, 1), { "\ud800": 1 }];
