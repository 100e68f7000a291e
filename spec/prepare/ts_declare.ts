//# title = "what is only declared vanishes"
//# [expect]
//# result = '"undefinedundefinedundefined"'
declare const outside: { missing: number };
declare function never(): void;
declare class Gone { x: number }
declare module "x" { export const y: number }
declare global { interface Window { z: number } }
return typeof outside + typeof never + typeof Gone;
