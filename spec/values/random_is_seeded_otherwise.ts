//# title = "another seed gives other numbers"
//# differsFromNode = "Node has no seed"
//# seed = 43
//# [expect]
//# result = '[0,0,0]'
return [Math.random(), Math.random(), Math.random()];
