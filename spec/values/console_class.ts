//# title = "class instances are logged with their name"
//# [expect]
//# logs = [["log", "Point {\"x\":1}"]]
//# result = 'null'
class Point { x = 1; #y = 2; }
console.log(new Point());
return null;
