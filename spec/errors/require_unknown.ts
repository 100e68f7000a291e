//# title = "require of a package names the modules there are"
//# differsFromNode = "Node words it in another way"
//# [expect]
//# result = """["MODULE_NOT_FOUND","cannot require 'left-pad': only the program's own files and these modules can be imported: util, path, url, assert, crypto, events, buffer, timers, timers/promises, querystring, perf_hooks, process"]"""
try {
  require("left-pad");
} catch (error) {
  return [error.code, error.message];
}
