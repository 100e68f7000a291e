//# title = "another seed gives other numbers"
//# differsFromNode = "Node has no seed"
//# seed = 43
//# [expect]
//# result = '[0.9629324882453449,0.7348818099571093,0.7313076226404112]'
return [Math.random(), Math.random(), Math.random()];
