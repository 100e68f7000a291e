//# title = "a class that is exported by default is defined, and not called"
//# [expect]
//# result = 'null'
//# logs = [["log", "defined"]]
export default class Main {
  static { console.log("defined"); }
}
