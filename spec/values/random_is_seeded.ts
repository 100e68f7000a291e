//# title = "the same seed gives the same numbers"
//# differsFromNode = "Node has no seed"
//# seed = 42
//# [expect]
//# result = '[0.9525701706730687,0.49622902392128587,0.23011961699737649]'
return [Math.random(), Math.random(), Math.random()];
