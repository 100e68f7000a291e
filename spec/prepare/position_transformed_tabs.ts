//# title = "a transformed line with tabs keeps its columns"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'here'
//# line = 10
//# column = 40
enum E { A }
{
		const e: E = E.A;	if (e === 0) throw new Error("here");
}
