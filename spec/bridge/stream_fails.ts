//# title = "a stream that fails on its way is a call that failed, whatever it gave before"
//# tools = "spec"
//# [expect]
//# result = '[["TOOL", "no more"], ["TOOL", "the tool failed"]]'
//# calls = [["spec.stream", "failed"], ["spec.stream", "failed"]]
//# progress = [["spec.stream", "1"]]
const failed = async (values, end) => {
  try {
    return await tools.spec.stream({ values, end });
  } catch (error) {
    return [error.code, error.message];
  }
};
return [await failed([1, 2], "error"), await failed([3], "panic")];
