//# title = "an enum of strings has no reverse names"
//# [expect]
//# result = '["sun",["Sun","Snow"]]'
enum Sky { Sun = "sun", Snow = "snow" }
return [Sky.Sun, Object.keys(Sky)];
