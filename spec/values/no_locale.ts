//# title = "there are no locales: the plain form is given"
//# differsFromNode = "Node has locales"
//# [expect]
//# result = '["1234.5","1234.5","1,2",-1,"i"]'
return [(1234.5).toLocaleString(), (1234.5).toLocaleString("de-DE"), [1, 2].toLocaleString(), "a".localeCompare("b"), "I".toLocaleLowerCase("tr")];
