//# title = "fields without a value are defined as undefined, declared ones are not"
//# [expect]
//# result = '["x","z"]'
class A { x?: number; declare y: number; z: string | undefined = undefined; }
return Object.getOwnPropertyNames(new A());
