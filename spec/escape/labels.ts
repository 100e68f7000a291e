//# title = "labels, finally and generators that return cannot leave the program"
//# [expect]
//# result = '["finally wins",3]'
let steps = 0;
const f = () => { outer: for (;;) { try { for (;;) { steps++; continue outer; } } finally { steps++; break outer; } } return "left"; };
const g = () => { try { return f(); } finally { steps++; return "finally wins"; } };
return [g(), steps];
