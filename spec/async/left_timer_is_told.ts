//# title = "code behind a timer that nothing waits for does not go on after the return, and the outcome says which timer"
//# limits = { settle = "20ms" }
//# notUnderNode = "Node.js waits for the timer"
//# [expect]
//# result = 'null'
//# logs = [["log", "x"]]
//# warnings = ['the program returned, and its timer in line 8, column 58 was due too late to be waited for: the timer did not fire. Await what the timer is for, or remove it with `clearTimeout` or `unref()`']
const sleep = (time: number) => new Promise((resolve) => setTimeout(resolve, time));
async function main() {
  for (let turn = 0; turn < 1; turn++) {
    await sleep(300);
    console.log(turn);
  }
}
main();
console.log("x");
