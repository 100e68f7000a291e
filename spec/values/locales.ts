//# title = "numbers and texts follow the locale"
//# [expect]
//# result = '["1,234.5","1.234,5","1,2",-1,"ı"]'
return [(1234.5).toLocaleString(), (1234.5).toLocaleString("de-DE"), [1, 2].toLocaleString(), "a".localeCompare("b"), "I".toLocaleLowerCase("tr")];
