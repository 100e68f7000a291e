//# title = "a class with decorators that the entry exports is not called"
//# [expect]
//# result = 'null'
//# logs = [["log", "class C"]]
const log = (value: any, { kind, name }: any) => console.log(`${kind} ${name}`);
@log
export default class C {
  x = 1;
}
