//# title = "the environment of a program is empty"
//# differsFromNode = "Node has the environment of its process"
//# [expect]
//# result = '["none",[],[],"/"]'
return [process.env.HOME ?? "none", Object.keys(process.env), process.argv, process.cwd()];
