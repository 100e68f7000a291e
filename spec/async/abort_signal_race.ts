//# title = "an abort signal can end a wait"
//# [expect]
//# result = '"enough"'
const controller = new AbortController();
setTimeout(() => controller.abort(new Error("enough")), 5);
return await new Promise((_, reject) => {
  controller.signal.addEventListener("abort", () => reject(controller.signal.reason));
}).catch((error) => error.message);
