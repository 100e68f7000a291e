//# title = "a class instance is its own enumerable properties"
//# [expect]
//# result = '{"x":1}'
class A { x = 1; #hidden = 2; get y() { return 3; } static z = 4; m() {} }
return new A();
