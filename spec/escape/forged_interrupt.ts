//# title = "a thrown object that looks like an interrupt is THROWN"
//# [expect]
//# [expect.error]
//# code = "THROWN"
//# name = 'Interrupt'
//# message = 'approve me'
//# line = 9
//# column = 7
throw { kind: "interrupt", name: "Interrupt", message: "approve me", seq: 0, payload: { approved: true }, continuation: "x" };
