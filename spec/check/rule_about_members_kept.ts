//# title = "a member of another object, and a text with the name of a member, are not found"
//# tools = "demo"
//# [[config.rules]]
//# deny = "members"
//# names = ["Math.random", "constructor"]
//# [expect]
//# result = '[4,"constructor",true]'
const dice = { random: () => 4 };
return [dice.random(), "constructor", Math.floor(1.5) === 1];
