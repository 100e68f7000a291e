//# title = "an exported enum in the one file can be read"
//# [expect]
//# result = '"a"'
export enum Kind { A = "a" }
export default () => Kind.A;
