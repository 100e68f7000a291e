//# title = "the same seed gives the same numbers"
//# differsFromNode = "Node has no seed"
//# seed = 42
//# [expect]
//# result = '[0,0,0]'
return [Math.random(), Math.random(), Math.random()];
