//# title = "a regular expression that is nested too deeply is a SyntaxError that can be caught"
//# [expect]
//# result = '"SyntaxError"'
try { return new RegExp("(".repeat(200_000) + ")".repeat(200_000)).source.length; } catch (error) { return (error as Error).name; }
