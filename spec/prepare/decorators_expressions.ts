//# title = "decorators of class expressions work, and such classes take the names of their variables"
//# [expect]
//# result = '[["C","D","default name"],true,[1,2],"C"]'
const names: string[] = [];
const named = (value: any, { name }: ClassDecoratorContext) => void names.push(name || "none");
const replaced = (value: any, context: any) => class extends value { added = 1; };
const C: any = @named @replaced class { static size = 2; };
const D: any = @named class { @(() => {}) m() {} };
const table: any = { "default name": @named class {} };
return [names, typeof table["default name"] === "function", [new C().added, C.size], Object.getPrototypeOf(C).name];
