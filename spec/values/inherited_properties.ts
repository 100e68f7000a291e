//# title = "inherited properties are left out"
//# [expect]
//# result = '{"own":2}'
return Object.create({ inherited: 1 }, { own: { value: 2, enumerable: true }, hidden: { value: 3 } });
